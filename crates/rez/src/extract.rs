//! Names of extracted files.

/// Device names of Windows. An extension does not change their meaning.
const DEVICES: [&str; 6] = ["CON", "CONIN$", "CONOUT$", "PRN", "AUX", "NUL"];

/// Returns a name for one file or directory that is valid on all systems and contains no separator. The length is not limited.
///
/// Letters, digits, spaces and most ASCII signs are unchanged. Separators, control bytes, bytes outside ASCII, characters that Windows
/// does not allow, a dot or space at the end, and the first letter of a device name become `%` and two hexadecimal digits. An empty name
/// becomes `%`. Different names have different results, but two results may differ only in case.
///
/// ```
/// use mapwright_rez::safe_name;
///
/// assert_eq!(safe_name(b"001.PID"), "001.PID");
/// assert_eq!(safe_name(b".."), ".%2e");
/// assert_eq!(safe_name(b"C:\\A"), "C%3a%5cA");
/// assert_eq!(safe_name(b"nul.txt"), "%6eul.txt");
/// assert_eq!(safe_name(b"conin$"), "%63onin$");
/// ```
pub fn safe_name(name: &[u8]) -> String {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or_default().trim_ascii_end();
    let is_device = DEVICES.iter().any(|device| device.as_bytes().eq_ignore_ascii_case(stem))
        || matches!(stem, [a, b, c, b'0'..=b'9'] if [*a, *b, *c].eq_ignore_ascii_case(b"COM") || [*a, *b, *c].eq_ignore_ascii_case(b"LPT"));
    let mut safe = String::with_capacity(name.len());
    for (index, &byte) in name.iter().enumerate() {
        let is_last = index.saturating_add(1) == name.len();
        let is_allowed = matches!(byte, b' '..=b'~') && !b"\\/:*?\"<>|%".contains(&byte);
        if !is_allowed || (is_last && matches!(byte, b'.' | b' ')) || (index == 0 && is_device) {
            safe.push('%');
            safe.extend([byte >> 4, byte & 15].into_iter().filter_map(|digit| char::from_digit(digit.into(), 16)));
        } else {
            safe.push(char::from(byte));
        }
    }
    if safe.is_empty() { "%".to_owned() } else { safe }
}
