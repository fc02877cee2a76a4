//! Sets origin, angles and scales of nodes, which scenes store as transforms.

use std::collections::HashMap;

use mapwright_query::{AssignOp, Assignment, QueryError};
use mapwright_scene::transform::dot;
use mapwright_scene::{Content, MeshId, Scene, TextureProjection, Transform};

use super::assign::{invalid_value, parse_three_numbers, set_number};
use super::position::{Frame, Target, move_along};

/// Sets a field of the pose of a node.
pub(super) fn set_pose(
    scene: &mut Scene,
    target: &mut Target,
    assignment: &Assignment,
    field: &str,
    frame: &Frame,
) -> Result<(), QueryError> {
    if field == "origin" {
        let numbers = parse_three_numbers(assignment)?;
        for (axis, number) in numbers.into_iter().enumerate() {
            let one = Assignment { value: number.to_string().as_str().into(), ..assignment.clone() };
            move_along(scene, target, &one, axis, frame)?;
        }
        return Ok(());
    }
    let sheared = || invalid_value(assignment, "a node without shear and with scales other than 0");
    let pose = target.pose.as_mut().ok_or_else(sheared)?;
    match field {
        "angles" => set_three(&mut pose.angles, assignment)?,
        "scales" => {
            set_three(&mut pose.scales, assignment)?;
            if pose.scales.contains(&0.0) {
                return Err(invalid_value(assignment, "scales other than 0"));
            }
        }
        "pitch" => set_number(&mut pose.angles[0], assignment)?,
        "yaw" => set_number(&mut pose.angles[1], assignment)?,
        _ => set_number(&mut pose.angles[2], assignment)?,
    }
    let node = &scene.nodes[target.node];
    let around = frame.parent_transform(scene, target.node);
    let origin = around.compose(&node.transform).origin();
    let world = pose.to_world(origin, &node.content, frame.axes());
    let local = world.relative_to(&around).ok_or_else(sheared)?;
    scene.nodes[target.node].transform = local;
    Ok(())
}

fn set_three(old: &mut [f64; 3], assignment: &Assignment) -> Result<(), QueryError> {
    let numbers = parse_three_numbers(assignment)?;
    for (old, number) in old.iter_mut().zip(numbers) {
        match assignment.op {
            AssignOp::Set => *old = number,
            AssignOp::Add => *old += number,
            AssignOp::Sub => *old -= number,
        }
    }
    Ok(())
}

/// Keeps the texture projections of moved meshes on their surfaces. Maps store projections in the world.
pub(super) fn move_projections(before: &Scene, scene: &mut Scene) {
    let mut moved = HashMap::new();
    let mut users: HashMap<MeshId, usize> = HashMap::new();
    for visit in scene.walk() {
        if let Content::Mesh(id) = visit.node.content {
            *users.entry(id).or_default() += 1;
            moved.insert(visit.id, (id, visit.world));
        }
    }
    for visit in before.walk() {
        let Some(&(id, world)) = moved.get(&visit.id) else { continue };
        // Several nodes with one mesh can move apart.
        if world == visit.world || users[&id] != 1 {
            continue;
        }
        let Some(inverse) = Transform::IDENTITY.relative_to(&world) else { continue };
        let to_old = visit.world.compose(&inverse);
        for projection in scene.meshes[id].face_projections.iter_mut().filter(|projection| !projection.local) {
            let TextureProjection { u, v, scale: [scale_u, scale_v], .. } = projection;
            for (plane, scale) in [(u, scale_u), (v, scale_v)] {
                move_plane(plane, scale, &to_old);
            }
        }
    }
}

/// Moves the plane of an axis. Its length stays the same, so that the scale takes a change of size.
fn move_plane(plane: &mut [f64; 4], scale: &mut f64, to_old: &Transform) {
    let [x, y, z, constant] = *plane;
    let axis = [x, y, z];
    let new = to_old.linear().map(|column| dot(column, axis));
    let ratio = (dot(axis, axis) / dot(new, new)).sqrt();
    let ratio = if ratio.is_normal() { ratio } else { 1.0 };
    // Adding 0 turns −0 into 0.
    let [x, y, z] = new.map(|part| part * ratio + 0.0);
    *plane = [x, y, z, (dot(axis, to_old.origin()) + constant) * ratio];
    *scale *= ratio;
}
