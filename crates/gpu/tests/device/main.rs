//! The stages on a software Vulkan driver. Where none is installed these tests are reported as ignored; where the
//! environment variable `CI` or `TACTUM_REQUIRE_GPU` is set they fail instead.

mod facets;
mod measure;
mod stages;
mod stretch;
mod world;
