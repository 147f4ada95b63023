//! The file of known failures: read before a search, written after one.

use reverl_session::explore::Baseline;
use std::path::Path;

/// The known failures of a file.
pub fn read(file: &Path) -> Result<Baseline, String> {
    let text = std::fs::read_to_string(file).map_err(|e| {
        format!("cannot read {}: {e} (--write-baseline makes such a file)", file.display())
    })?;
    serde_json::from_str(&text).map_err(|e| {
        format!("{} is not a baseline: {e} (--write-baseline makes one)", file.display())
    })
}

/// Writes failures to a file, as people can read and change it.
pub fn write(file: &Path, baseline: &Baseline) -> Result<(), String> {
    let text = serde_json::to_string_pretty(baseline).map_err(|e| e.to_string())?;
    std::fs::write(file, text + "\n").map_err(|e| format!("cannot write {}: {e}", file.display()))
}
