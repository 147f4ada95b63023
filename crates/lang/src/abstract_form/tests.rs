//! Claims; see also `tests/otp_forms.rs`.
