# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports and exports game levels and models of all formats of mapwright."""

import os
from pathlib import Path

import bpy
import mapwright
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import AddonPreferences, FileHandler, Operator, OperatorFileListElement, PropertyGroup
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import build, read, write
from .report import ExportError

FORMATS = mapwright.formats()
IMPORT_ENDINGS = [f".{ending}" for one in FORMATS if one["to_scene"] for ending in one["extensions"]]
ENDINGS = {one["name"]: tuple(f".{ending}" for ending in one["extensions"]) for one in FORMATS}
"""The endings of the files of each format, the usual one first."""
TARGETS = [(one["name"], one["title"], f"*.{one['extensions'][0]}") for one in FORMATS if one["from_scene"]]
"""The formats of new files, as the items of a property."""
BLENDER_ENDINGS = frozenset([".glb", ".gltf", ".obj", ".png", ".tif", ".tiff"])
"""Endings of files that Blender imports itself when they are dropped."""
RELATIVE = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()
"""The option of paths that may begin with `//`. Earlier versions of Blender allow it for all paths."""
SHOWN_LOSSES = 3
"""The number of losses that are shown in the status bar. A text contains all."""


class ContentFolder(PropertyGroup):
    """A folder or an archive with files of a game."""

    path: StringProperty(name="Path", subtype="FILE_PATH", description="A folder of the game, or an archive of it")


class AddFolder(Operator):
    """Add a folder of a game"""

    bl_idname = "mapwright.add_folder"
    bl_label = "Add Folder"

    def execute(self, context):
        preferences(context).folders.add()
        return {"FINISHED"}


class RemoveFolder(Operator):
    """Remove this folder from the list"""

    bl_idname = "mapwright.remove_folder"
    bl_label = "Remove Folder"

    index: bpy.props.IntProperty()

    def execute(self, context):
        preferences(context).folders.remove(self.index)
        return {"FINISHED"}


class Preferences(AddonPreferences):
    """Folders in which all imports look for models and images."""

    bl_idname = __package__

    folders: CollectionProperty(type=ContentFolder)

    def draw(self, context):
        layout = self.layout
        layout.label(text="Folders and archives of games, with the models and images of their levels:")
        for index, folder in enumerate(self.folders):
            row = layout.row()
            row.prop(folder, "path", text="")
            row.operator(RemoveFolder.bl_idname, text="", icon="REMOVE").index = index
        layout.operator(AddFolder.bl_idname, icon="ADD")


def preferences(context):
    return context.preferences.addons[__package__].preferences


def report_error(operator, path, error):
    """Shows an error with its file and place, and the next step."""
    text, help_text = str(error), next_step(path, error)
    if path.name not in text:
        text = f"{path}: {text}"
    operator.report({"ERROR"}, f"{text}. {help_text[:1].upper()}{help_text[1:]}" if help_text else text)
    return {"CANCELLED"}


def next_step(path, error):
    """Returns what to do after an error, or None if the error states it."""
    if isinstance(error, ExportError):
        return None
    if isinstance(error, (mapwright.MissingFileError, FileNotFoundError)):
        return "check the folder and the name of the file"
    found = getattr(error, "help", None)
    # This option of the package is none of the extension.
    if found and "allow_empty" in found:
        return "choose another format, or show objects that the format can store"
    if path.is_file() and not path.stat().st_size:
        return "the file is empty: replace it by a backup, or download it again"
    if isinstance(error, mapwright.UnsupportedError) and path.suffix.lower() not in IMPORT_ENDINGS:
        return "select a file with an ending that the dialog shows"
    if not found and isinstance(error, mapwright.MalformedError):
        return "replace the file by a backup, or download it again, if it is damaged"
    return found


def report_losses(operator, name, lines):
    """Shows the first losses, and writes all to a text of Blender."""
    if not lines:
        return
    text = bpy.data.texts.new(f"mapwright: {name}")
    text.write("\n".join(lines) + "\n")
    for line in lines[:SHOWN_LOSSES]:
        operator.report({"WARNING"}, line)
    if len(lines) > SHOWN_LOSSES:
        operator.report({"WARNING"}, f"{name}: {len(lines)} losses: see the text {text.name!r}")


class ImportLevel(Operator, ImportHelper):
    """Import game levels and models of all formats of mapwright"""

    bl_idname = "import_scene.mapwright"
    bl_label = "Import Level"
    bl_options = {"UNDO", "PRESET"}

    # A remembered path would import the last file again, without a dialog.
    filepath: StringProperty(name="File Path", subtype="FILE_PATH", maxlen=1024, options={"SKIP_SAVE", *RELATIVE})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE", *RELATIVE})
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default=";".join(f"*{ending}" for ending in IMPORT_ENDINGS), options={"HIDDEN"}, maxlen=1024)
    content: StringProperty(
        name="Content",
        description=(
            "Folders and archives of the game, with the models and images of the level, "
            f"separated by {os.pathsep!r}. Empty: those of the preferences"
        ),
    )
    metres_per_unit: FloatProperty(
        name="Metres per Unit",
        description="Length of a unit, for files that do not state it",
        default=1.0,
        min=1e-6,
        soft_max=1000.0,
        precision=4,
    )

    def invoke(self, context, event):
        # A dropped file has its path already.
        if self.directory and self.files or self.filepath and Path(bpy.path.abspath(self.filepath)).is_file():
            return self.execute(context)
        return ImportHelper.invoke(self, context, event)

    def execute(self, context):
        if self.files and self.directory:
            paths = [Path(bpy.path.abspath(self.directory), file.name) for file in self.files]
        else:
            paths = [Path(bpy.path.abspath(self.filepath))]
        if self.content:
            content = self.content.split(os.pathsep)
        else:
            content = [folder.path for folder in preferences(context).folders if folder.path]
        content = [bpy.path.abspath(path) for path in content]
        result = {"CANCELLED"}
        # A level in another level would be taken for a part of it.
        above = context.collection if innermost_level(context.collection) is None else context.scene.collection
        for path in paths:
            try:
                collection, losses = read.import_file(path, content, self.metres_per_unit)
            except (mapwright.Error, OSError) as error:
                report_error(self, path, error)
                continue
            result = {"FINISHED"}
            above.children.link(collection)
            report_losses(self, path.name, losses)
        return result


class ExportLevel(Operator, ExportHelper):
    """Write changes to the imported level, or objects to a new file"""

    bl_idname = "export_scene.mapwright"
    bl_label = "Export Level"
    bl_options = {"PRESET"}

    filename_ext = ""
    # The file and the mode of the last export may not fit this level.
    filepath: StringProperty(name="File Path", subtype="FILE_PATH", maxlen=1024, options={"SKIP_SAVE", *RELATIVE})
    added_ending: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default="*", options={"HIDDEN"})
    mode: EnumProperty(
        name="Write",
        items=[
            (
                "CHANGES",
                "Changes of the Original",
                "The original file, with moved, turned and scaled objects and changed custom properties. All else keeps its bytes",
            ),
            ("NEW", "New File", "A new file with the visible objects"),
        ],
        default="CHANGES",
        options={"SKIP_SAVE"},
    )
    format: EnumProperty(name="Format", description="Format of a new file", items=TARGETS, default="vmap")
    only_selected: BoolProperty(name="Only Selected", description="A new file contains only selected objects")
    scale: FloatProperty(
        name="Units per Metre",
        description="Factor for all lengths of a new file. Formats that state their unit are in it already",
        default=1.0,
        min=1e-6,
        soft_max=1000.0,
    )

    def invoke(self, context, event):
        collection = source_collection(context)
        if collection is None:
            self.mode = "NEW"
        elif not self.filepath:
            self.filepath = collection[read.PATH]
            self.added_ending = Path(self.filepath).suffix
        return ExportHelper.invoke(self, context, event)

    def check(self, context):
        endings = endings_of_target(context, self)
        if not endings or not self.filepath or self.filepath.lower().endswith(endings):
            return False
        # The part after the last point may belong to the name, unless it is the ending of an earlier choice.
        name = self.filepath.removesuffix(self.added_ending) if self.added_ending else self.filepath
        self.added_ending = endings[0]
        self.filepath = name + endings[0]
        return True

    def draw(self, context):
        layout = self.layout
        layout.prop(self, "mode")
        if self.mode == "NEW":
            for name in ("format", "only_selected", "scale"):
                layout.prop(self, name)

    def execute(self, context):
        path = Path(bpy.path.abspath(self.filepath))
        try:
            collection = source_collection(context)
            if self.mode == "CHANGES" and collection is not None:
                write.find_source(collection)
            archive = write.containing_file(path)
            if archive is not None:
                raise ExportError(f"{path}: files cannot be written into {archive.name}, which is a file: choose a folder")
            if self.mode == "NEW":
                check_ending(path, ENDINGS[target_format(self)], "choose the format of this ending")
                leave_edit_mode(context)
                losses = build.export_new(context, path, target_format(self), self.only_selected, self.scale)
            else:
                if collection is None:
                    raise ExportError("no collection of an imported level is active: select one, or write a new file")
                if path != Path(collection[read.PATH]):
                    check_ending(path, endings_of_target(context, self), "write a new file")
                leave_edit_mode(context)
                losses, changed = write.export_changes(collection, path)
                objects = "1 object" if changed == 1 else f"{changed} objects"
                self.report({"INFO"}, f"{path.name}: {objects} changed")
        except (mapwright.Error, ExportError, OSError) as error:
            return report_error(self, path, error)
        report_losses(self, path.name, losses)
        return {"FINISHED"}


def target_format(operator):
    """Returns the format of a new file: the chosen one, or else that of its ending."""
    if not operator.properties.is_property_set("format"):
        path = operator.filepath.lower()
        found = [(len(ending), name) for name, _, _ in TARGETS for ending in ENDINGS[name] if path.endswith(ending)]
        if found:
            # The longest of `.cells.png` and `.png`.
            return max(found)[1]
    return operator.format


def endings_of_target(context, operator):
    """Returns the endings of the format that is written."""
    if operator.mode == "NEW":
        return ENDINGS[target_format(operator)]
    collection = source_collection(context)
    if collection is None:
        return ()
    # The original can have an unusual ending.
    ending = Path(collection[read.PATH]).suffix.lower()
    return ENDINGS[collection[read.FORMAT]] + ((ending,) if ending else ())


def check_ending(path, endings, alternative):
    """Raises an error if a file does not have an ending of its format."""
    # Some endings have two points.
    if not path.name.lower().endswith(endings):
        expected = " or ".join(dict.fromkeys(endings))
        raise ExportError(f"{path}: the name must end with {expected}: add this ending, or {alternative}")


def leave_edit_mode(context):
    """Leaves Edit Mode, so that its changes are in the data of objects."""
    active = context.view_layer.objects.active
    if active is not None and active.mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")


def innermost_level(collection):
    """Returns the innermost imported collection that contains a collection, or None."""
    around = [one for one in bpy.data.collections if read.PATH in one]
    around = [one for one in around if one == collection or collection in one.children_recursive]
    return next((one for one in around if not any(other in one.children_recursive for other in around)), None)


def source_collection(context):
    """Returns the imported collection that contains the active one, or the only imported one, or None."""
    found = innermost_level(context.collection)
    if found is not None:
        return found
    imported = [one for one in bpy.data.collections if read.PATH in one]
    return imported[0] if len(imported) == 1 else None


class DroppedLevel(FileHandler):
    """Imports files that are dropped on a window."""

    bl_idname = "MAPWRIGHT_FH_level"
    bl_label = "Game level"
    bl_import_operator = ImportLevel.bl_idname
    bl_file_extensions = ";".join(ending for ending in IMPORT_ENDINGS if ending not in BLENDER_ENDINGS)

    @classmethod
    def poll_drop(cls, context):
        return context.area is not None and context.area.type in ("VIEW_3D", "OUTLINER")


def import_menu(self, _context):
    self.layout.operator(ImportLevel.bl_idname, text="Game level (mapwright)")


def export_menu(self, _context):
    self.layout.operator(ExportLevel.bl_idname, text="Game level (mapwright)")


CLASSES = (ContentFolder, AddFolder, RemoveFolder, Preferences, ImportLevel, ExportLevel, DroppedLevel)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
