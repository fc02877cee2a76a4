"""Fixtures of the tests, and files for the examples of the documentation."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from _pytest.doctest import DoctestItem

sys.path.insert(0, str(Path(__file__).parent / "tests"))

from files import FIXTURES, LEVELS


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Path:
    """Each level in turn."""
    return FIXTURES / str(request.param)


@pytest.fixture(autouse=True)
def examples(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs examples in a folder with some levels."""
    if isinstance(request.node, DoctestItem):
        for name in ["wings/torus.wings", "vmap/room.vmap", "wrp/island.wrp", "wmp/room.wmp", "wwd/claw.wwd"]:
            shutil.copy(FIXTURES / name, tmp_path)
        shutil.copytree(FIXTURES / "addon", tmp_path / "addon")
        (tmp_path / "levels").mkdir()
        for name in ["vmap/room.vmap", "wwd/claw.wwd", "wmp/room.wmp"]:
            shutil.copy(FIXTURES / name, tmp_path / "levels")
        (tmp_path / "levels" / "damaged.wwd").write_bytes((FIXTURES / "wwd/claw.wwd").read_bytes()[:1000])
        monkeypatch.chdir(tmp_path)
