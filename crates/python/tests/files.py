"""Files that the project made for its tests."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"

LEVELS = ["wings/torus.wings", "vmap/room.vmap", "dmx/graph.dmx", "wwd/claw.wwd", "wmp/room.wmp", "wrp/island.wrp", "rez/game.rez", "map/room.map", "vmf/room.vmf"]
"""A file of each lossless format."""

OBJ = b"o Floor\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n"
"""A square with texture coordinates."""
