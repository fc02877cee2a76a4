# SPDX-License-Identifier: GPL-3.0-or-later
"""The axes of scenes, where Y points up, and those of Blender, where Z points up."""

import numpy

TO_BLENDER = numpy.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""The rotation from the axes of scenes to those of Blender."""

LIGHT_TURN = numpy.eye(4)
"""The rotation of lights and cameras: they point along −Z in scenes and in Blender, but Z is another axis."""
LIGHT_TURN[:3, :3] = TO_BLENDER


def matrices_to_blender(matrices, unit):
    """Returns matrices in Blender's axes and in metres. `unit` is the length of a unit of the scene."""
    turned = matrices.copy()
    turned[..., :3, :3] = TO_BLENDER @ matrices[..., :3, :3] @ TO_BLENDER.T
    turned[..., :3, 3] = unit * (matrices[..., :3, 3] @ TO_BLENDER.T)
    return turned


def matrices_to_scene(matrices, unit):
    """Returns matrices in the axes and units of the scene."""
    turned = matrices.copy()
    turned[..., :3, :3] = TO_BLENDER.T @ matrices[..., :3, :3] @ TO_BLENDER
    turned[..., :3, 3] = (matrices[..., :3, 3] @ TO_BLENDER) / unit
    return turned


def points_to_blender(points, unit):
    """Returns points as Blender's 32-bit numbers."""
    turned = numpy.empty(points.shape, numpy.float32)
    turned[:, 0] = points[:, 0] * unit
    turned[:, 1] = points[:, 2] * -unit
    turned[:, 2] = points[:, 1] * unit
    return turned


def points_to_scene(points, unit):
    """Returns points in the axes and units of the scene."""
    points = points.astype(numpy.float64) / unit
    return numpy.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)
