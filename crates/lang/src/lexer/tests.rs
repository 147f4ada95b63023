//! Claims about single tokens; whole files are compared with OTP in `tests/otp_forms.rs`.
