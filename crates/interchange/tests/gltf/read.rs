//! What documents of others mean.
