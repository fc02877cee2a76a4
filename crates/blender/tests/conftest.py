"""Installs the extension into the user folder of Blender, and gives each test an empty file.

`cargo xtask blender` sets the folders in the environment.
"""

import os
import sys
from pathlib import Path

import bpy
import pytest

FIXTURES = Path(__file__).parents[3] / "fixtures"


def pytest_configure(config):
    bpy.ops.extensions.package_install_files(
        filepath=os.environ["MAPWRIGHT_EXTENSION"], repo="user_default", enable_on_install=True
    )
    sys.path.insert(0, str(Path(__file__).parent))


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in report.user_properties:
            terminalreporter.write_line(f"{name}: {text}")


@pytest.fixture(autouse=True)
def empty_file():
    # Factory settings would disable the extension.
    bpy.ops.wm.read_homefile(use_empty=True)


@pytest.fixture
def addon():
    """The modules of the installed extension."""
    import bl_ext.user_default.mapwright as addon

    return addon
