//! Fonts and scroll bars of the panels.

use egui::style::ScrollStyle;
use egui::{Context, FontId, TextStyle};

/// Smallest text \[points\].
const SMALL: f32 = 12.0;

/// Fonts and colours.
pub fn prepare(context: &Context) {
    context.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Small, FontId::proportional(SMALL)),
            (TextStyle::Body, FontId::proportional(13.5)),
            (TextStyle::Button, FontId::proportional(13.5)),
            (TextStyle::Monospace, FontId::monospace(12.5)),
            (TextStyle::Heading, FontId::proportional(16.0)),
        ]
        .into();
        style.interaction.selectable_labels = false;
        // Bars that are seen before the mouse is on them tell that there is more.
        style.spacing.scroll = ScrollStyle { bar_inner_margin: 2.0, ..ScrollStyle::solid() };
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legend;

    #[test]
    fn no_text_is_small() {
        let context = Context::default();
        prepare(&context);
        for theme in [egui::Theme::Light, egui::Theme::Dark] {
            let style = context.style_of(theme);
            let sizes = style.text_styles.values().map(|font| font.size);
            assert!(sizes.chain([legend::TEXT]).all(|size| size >= 12.0), "{theme:?}");
        }
    }
}
