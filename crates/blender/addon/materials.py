# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds materials and images of Blender."""

from pathlib import Path

import bpy
import numpy

NON_COLOR = frozenset(["normal", "bump", "metallic", "roughness", "metallic_roughness", "gloss", "opacity"])
"""The usages of textures whose pixels are numbers, not colours."""
EXTENSIONS = {"repeat": "REPEAT", "mirror": "MIRROR", "clamp": "EXTEND"}


def to_linear(color):
    """Returns red, green and blue of sRGB as linear values."""
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in map(float, color)]


class MaterialBuilder:
    """Builds each material of a scene when it is first used."""

    def __init__(self, scene, folder, losses):
        self.materials = scene.materials
        self.images = scene.images
        self.is_srgb = scene.color_space == "srgb"
        self.folder = folder
        self.losses = losses
        self.interpolation = "Linear"
        """The interpolation of pixels of images."""
        self.built = {}
        self.built_images = {}

    def get(self, index, has_colors):
        """Returns a material for a mesh. Blender shows vertex colours that a mesh does not have as black."""
        source = self.materials[index]
        key = index, has_colors and source.uses_vertex_colors
        if key not in self.built:
            self.built[key] = self.build(source, key[1])
        return self.built[key]

    def linear(self, color):
        return to_linear(color) if self.is_srgb else list(map(float, color))

    def build(self, source, shows_colors):
        material = bpy.data.materials.new(source.name or "Material")
        if source.reference is not None:
            material["mapwright_reference"] = source.reference
        if bpy.app.version < (5, 0, 0):
            material.use_nodes = True
        material.use_backface_culling = not source.double_sided
        color = [*self.linear(source.base_color[:3]), source.base_color[3]]
        material.diffuse_color = color
        material.metallic = min(max(source.metallic, 0.0), 1.0)
        material.roughness = min(max(source.roughness, 0.0), 1.0)
        tree = Tree(material)
        tree.set("Base Color", (*color[:3], 1))
        tree.set("Metallic", source.metallic)
        tree.set("Roughness", source.roughness)
        emission = self.linear(source.emissive)
        if any(emission):
            tree.set("Emission Color", (*emission, 1))
            tree.set("Emission Strength", 1.0)

        alpha = None
        for texture in source.textures:
            image = self.image(texture["image"], texture["usage"] in NON_COLOR)
            if image is None:
                continue
            node = tree.add("ShaderNodeTexImage")
            node.image = image
            node.interpolation = self.interpolation
            wraps = set(texture["wrap"])
            node.extension = EXTENSIONS[texture["wrap"][0]]
            if len(wraps) > 1:
                self.losses.add("approximated", "textures that repeat along u and v in different ways")
            if texture["uv_set"] > 0:
                self.losses.add("approximated", "textures with texture coordinates of another UV set than the first")
            usage = texture["usage"]
            if usage == "base_color":
                tree.link_color(node.outputs["Color"], color)
                alpha = node.outputs["Alpha"]
            elif usage == "opacity":
                alpha = node.outputs["Color"]
            elif not tree.link_texture(usage, node, texture["strength"]):
                self.losses.add("dropped", f"textures with the usage {usage}")
        if shows_colors:
            tree.multiply_vertex_colors(color)
        if source.alpha != "opaque":
            tree.link_alpha(alpha, color[3], source.alpha_cutoff)
            material.surface_render_method = "BLENDED" if source.alpha == "blend" else "DITHERED"
        return material

    def image(self, index, is_data):
        """Returns an image, packed into the file of Blender, or None."""
        if (index, is_data) not in self.built_images:
            self.built_images[index, is_data] = self.build_image(self.images[index], is_data)
        return self.built_images[index, is_data]

    def build_image(self, source, is_data):
        name = source.name or (source.path or "Image").replace("\\", "/").rsplit("/", 1)[-1]
        pixels, file = source.pixels, source.file
        image = None
        if pixels is not None:
            image = bpy.data.images.new(name, pixels.shape[1], pixels.shape[0], alpha=pixels.shape[2] in (2, 4))
            set_pixels(image, pixels)
            image.pack()
        elif file is not None:
            image = bpy.data.images.new(name, 1, 1)
            image.pack(data=file[1], data_len=len(file[1]))
            image.source = "FILE"
        elif source.path is not None:
            image = self.load(source.path)
        if image is None or not image.size[0]:
            self.losses.add("dropped", f"image {source.path or name!r}: missing, or of a kind that Blender cannot read")
            if image is not None:
                bpy.data.images.remove(image)
            return None
        if is_data:
            image.colorspace_settings.name = "Non-Color"
        return image

    def load(self, path):
        """Loads an image in the folder of the level. A level must not read other files of the machine."""
        folder = self.folder.resolve()
        found = (folder / path.replace("\\", "/")).resolve()
        if not found.is_relative_to(folder) or not found.is_file():
            return None
        try:
            image = bpy.data.images.load(str(found))
            image.pack()
        except RuntimeError:
            return None
        return image


def set_pixels(image, pixels):
    """Copies pixels with 1 to 4 channels. Rows of Blender begin at the bottom."""
    height, width, channels = pixels.shape
    colors = numpy.ones((height, width, 4), numpy.float32)
    values = pixels[::-1].astype(numpy.float32) / 255
    if channels < 3:
        colors[..., :3] = values[..., :1]
    else:
        colors[..., :3] = values[..., :3]
    if channels in (2, 4):
        colors[..., 3] = values[..., -1]
    image.pixels.foreach_set(colors.ravel())


class Tree:
    """The nodes of a material: a principled shader and what controls it."""

    def __init__(self, material):
        self.tree = material.node_tree
        nodes = self.tree.nodes
        self.shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
        if self.shader is None:
            self.shader = nodes.new("ShaderNodeBsdfPrincipled")
            output = nodes.new("ShaderNodeOutputMaterial")
            self.tree.links.new(self.shader.outputs["BSDF"], output.inputs["Surface"])
        self.count = 0

    def add(self, kind):
        """Adds a node to the left of the shader."""
        node = self.tree.nodes.new(kind)
        node.location = (self.shader.location.x - 320 - 300 * (self.count % 2), self.shader.location.y - 200 * self.count)
        self.count += 1
        return node

    def set(self, name, value):
        self.shader.inputs[name].default_value = value

    def link(self, output, name):
        self.tree.links.new(output, self.shader.inputs[name])

    def multiply(self, a, b):
        """Returns the product of two colours, each an output or a value."""
        node = self.add("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", "MULTIPLY"
        node.inputs[0].default_value = 1.0
        for place, value in ((6, a), (7, b)):
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[place])
            else:
                node.inputs[place].default_value = (*value[:3], 1)
        return node.outputs[2]

    def link_color(self, output, factor):
        is_white = all(abs(value - 1) < 1e-6 for value in factor[:3])
        self.link(output if is_white else self.multiply(output, factor), "Base Color")

    def multiply_vertex_colors(self, color):
        links = self.shader.inputs["Base Color"].links
        other = links[0].from_socket if links else color
        self.link(self.multiply(other, self.add("ShaderNodeVertexColor").outputs["Color"]), "Base Color")

    def link_alpha(self, output, factor, cutoff):
        """Links the opacity: an output times a factor. Below the cutoff, the surface is invisible."""
        if output is None:
            self.set("Alpha", factor if cutoff is None else float(factor >= cutoff))
            return
        if cutoff is not None:
            # The factor is not 0, as then nothing would be visible.
            output = self.math("GREATER_THAN", output, cutoff / max(factor, 1e-6))
        elif factor != 1:
            output = self.math("MULTIPLY", output, factor)
        self.link(output, "Alpha")

    def math(self, operation, output, value):
        node = self.add("ShaderNodeMath")
        node.operation = operation
        self.tree.links.new(output, node.inputs[0])
        node.inputs[1].default_value = value
        return node.outputs[0]

    def link_texture(self, usage, node, strength):
        """Links a texture that is no colour. Returns False for a usage that Blender's shader does not have."""
        color = node.outputs["Color"]
        if usage == "normal":
            normal = self.add("ShaderNodeNormalMap")
            normal.inputs["Strength"].default_value = strength
            self.tree.links.new(color, normal.inputs["Color"])
            self.link(normal.outputs["Normal"], "Normal")
        elif usage == "bump":
            bump = self.add("ShaderNodeBump")
            bump.inputs["Strength"].default_value = strength
            self.tree.links.new(color, bump.inputs["Height"])
            self.link(bump.outputs["Normal"], "Normal")
        elif usage == "metallic_roughness":
            channels = self.add("ShaderNodeSeparateColor")
            self.tree.links.new(color, channels.inputs["Color"])
            self.link(channels.outputs["Green"], "Roughness")
            self.link(channels.outputs["Blue"], "Metallic")
        elif usage == "gloss":
            invert = self.add("ShaderNodeInvert")
            self.tree.links.new(color, invert.inputs["Color"])
            self.link(invert.outputs["Color"], "Roughness")
        elif usage == "emission":
            self.link(color, "Emission Color")
            self.set("Emission Strength", 1.0)
        elif usage in ("metallic", "roughness"):
            self.link(color, usage.capitalize())
        else:
            return False
        return True
