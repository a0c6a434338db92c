//! The page, embedded in the program: a table of names and bytes. No request ever reaches the file system.

/// A file of the page.
pub(super) struct Asset {
    pub(super) kind: &'static str,
    pub(super) bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal => $kind:expr, $file:literal;)*) => {
        &[$(($path, Asset { kind: $kind, bytes: include_bytes!(concat!("../../../../web/", $file)) })),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const ASSETS: &[(&str, Asset)] = assets! {
    "/" => HTML, "index.html";
    "/style.css" => CSS, "style.css";
    "/icon.svg" => SVG, "icon.svg";
    "/throng.js" => SCRIPT, "throng.js";
    "/app.js" => SCRIPT, "app.js";
    "/body.js" => SCRIPT, "body.js";
    "/camera.js" => SCRIPT, "camera.js";
    "/charts.js" => SCRIPT, "charts.js";
    "/crowd.js" => SCRIPT, "crowd.js";
    "/draw-gl.js" => SCRIPT, "draw-gl.js";
    "/draw-gpu.js" => SCRIPT, "draw-gpu.js";
    "/glsl.js" => SCRIPT, "glsl.js";
    "/heat.js" => SCRIPT, "heat.js";
    "/icons.js" => SCRIPT, "icons.js";
    "/light.js" => SCRIPT, "light.js";
    "/mesh.js" => SCRIPT, "mesh.js";
    "/overlay.js" => SCRIPT, "overlay.js";
    "/panel.js" => SCRIPT, "panel.js";
    "/place.js" => SCRIPT, "place.js";
    "/save.js" => SCRIPT, "save.js";
    "/somebody.js" => SCRIPT, "somebody.js";
    "/stage.js" => SCRIPT, "stage.js";
    "/timeline.js" => SCRIPT, "timeline.js";
    "/tools.js" => SCRIPT, "tools.js";
    "/wgsl.js" => SCRIPT, "wgsl.js";
};

/// The file of a path, if there is one.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/index.html" { "/" } else { path };
    ASSETS.iter().find(|(name, _)| *name == path).map(|(_, asset)| asset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the page asks for a file that the program has not got, or the program carries one that
    /// nobody asks for.
    #[test]
    fn the_page_is_whole() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
        let on_disk = std::fs::read_dir(folder).expect("the page's folder");
        for file in on_disk.filter_map(Result::ok) {
            let name = file.file_name().into_string().expect("a plain name");
            let part =
                ["js", "css", "html", "svg"].iter().any(|end| name.ends_with(&format!(".{end}")));
            if part {
                assert!(asset(&format!("/{name}")).is_some(), "{name} is not embedded");
            }
        }
        let text = |asset: &Asset| String::from_utf8(asset.bytes.to_vec()).expect("text");
        for (path, found) in ASSETS {
            let text = text(found);
            for word in text.split(['"', '\'']).filter(|word| word.starts_with("./")) {
                let wanted = word.trim_start_matches('.');
                assert!(asset(wanted).is_some(), "{path} asks for {word}");
            }
            assert!(!text.contains("https://") || *path == "/", "{path} asks elsewhere");
        }
        assert!(asset("/../Cargo.toml").is_none() && asset("/etc/passwd").is_none());
    }
}
