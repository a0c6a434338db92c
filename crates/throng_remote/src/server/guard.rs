//! Who may come in: by the name they call us, by the page they come from, and by the token.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr};

/// A token has at least so many characters, and at most so many.
const TOKEN: std::ops::RangeInclusive<usize> = 16..=128;

/// Why somebody may not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// They call us by a name that is not ours: a foreign name may lead here (DNS rebinding).
    Host,
    /// They come from another page.
    Origin,
    /// They have not the token.
    Token,
}

impl Refusal {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Host => "this server does not go by that name; start it with --host NAME",
            Self::Origin => "pages of other sites may not speak to this server",
            Self::Token => "the token is missing or wrong; open the address that the server told",
        }
    }
}

/// Decides who may come in.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    names: Vec<String>,
    token: Option<String>,
}

/// Whether a token can be one: letters, digits, `-` and `_`, so that it stands in an address as it is.
///
/// # Errors
/// Says what would be right.
pub fn check_token(token: &str) -> Result<(), String> {
    let fits = TOKEN.contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let (least, most) = (TOKEN.start(), TOKEN.end());
    match fits {
        true => Ok(()),
        false => Err(format!("a token has {least} to {most} letters, digits, - and _")),
    }
}

/// A token that nobody can guess.
///
/// # Errors
/// The system gives no random numbers.
pub fn new_token() -> Result<String, String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| format!("no random numbers for a token: {e}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Guard {
    pub(super) fn new(names: Vec<String>, token: Option<String>) -> Self {
        Self { names: names.into_iter().map(|name| name.to_ascii_lowercase()).collect(), token }
    }

    /// Whether the request calls us by a name of ours, and comes from our own page or from no page.
    pub(super) fn admit(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = one(headers, header::HOST).ok_or(Refusal::Host)?;
        if !self.is_ours(host) {
            return Err(Refusal::Host);
        }
        if !headers.contains_key(header::ORIGIN) {
            return Ok(());
        }
        let origin = one(headers, header::ORIGIN).ok_or(Refusal::Origin)?;
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        match site.is_some_and(|site| site.eq_ignore_ascii_case(host)) {
            true => Ok(()),
            false => Err(Refusal::Origin),
        }
    }

    /// Whether the token in a query (`token=…`) is ours.
    pub(super) fn has_token(&self, query: Option<&str>) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        let given =
            query.into_iter().flat_map(|q| q.split('&')).find_map(|p| p.strip_prefix("token="));
        match given.is_some_and(|given| same(given.as_bytes(), token.as_bytes())) {
            true => Ok(()),
            false => Err(Refusal::Token),
        }
    }

    /// Numbers cannot be made to lead elsewhere; names can, unless they are `localhost` or were told.
    fn is_ours(&self, host: &str) -> bool {
        if host.parse::<SocketAddr>().is_ok() || host.parse::<IpAddr>().is_ok() {
            return true;
        }
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        if bare.is_some_and(|h| h.parse::<IpAddr>().is_ok()) {
            return true;
        }
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => name,
            Some(_) => return false,
            None => host,
        };
        let name = name.to_ascii_lowercase();
        name == "localhost" || self.names.contains(&name)
    }
}

/// The value of a header that is there once.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

/// Compares in a time that does not tell how much of it was right.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differs = a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b));
    std::hint::black_box(differs) == 0 && a.len() == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    /// If this fails, a foreign page can steer the crowd, or our own cannot.
    #[test]
    fn foreign_pages_and_names_stay_out() {
        use header::{HOST, ORIGIN};
        let guard = Guard::new(vec!["Crowd.example".into()], None);
        let admit = |pairs: &[(header::HeaderName, &str)]| guard.admit(&headers(pairs));
        for host in [
            "127.0.0.1:8080",
            "localhost:8080",
            "[::1]:8080",
            "[::1]",
            "crowd.example:1",
            "10.0.0.7",
        ] {
            assert_eq!(admit(&[(HOST, host)]), Ok(()), "{host}");
            assert_eq!(
                admit(&[(HOST, host), (ORIGIN, &format!("http://{host}"))]),
                Ok(()),
                "{host}"
            );
            for origin in [
                "https://evil.example",
                "null",
                "http://127.0.0.1:9999",
                "http://localhost",
                "file://",
            ] {
                assert_eq!(
                    admit(&[(HOST, host), (ORIGIN, origin)]),
                    Err(Refusal::Origin),
                    "{origin}"
                );
            }
        }
        for host in [
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "",
            "localhost:http",
        ] {
            assert_eq!(admit(&[(HOST, host)]), Err(Refusal::Host), "{host}");
        }
        assert_eq!(admit(&[]), Err(Refusal::Host));
        let two =
            [(HOST, "localhost"), (ORIGIN, "http://localhost"), (ORIGIN, "http://evil.example")];
        assert_eq!(admit(&two), Err(Refusal::Origin), "which of the two?");
    }

    /// If this fails, the token does not keep anybody out.
    #[test]
    fn only_the_token_opens() {
        let token = new_token().unwrap();
        check_token(&token).unwrap();
        assert_ne!(token, new_token().unwrap());
        let guard = Guard::new(Vec::new(), Some(token.clone()));
        let right = format!("a=b&token={token}");
        assert_eq!(guard.has_token(Some(&right)), Ok(()));
        for wrong in [
            None,
            Some(""),
            Some("token="),
            Some("token=0123456789abcdef"),
            Some(&right[..right.len() - 1]),
        ] {
            assert_eq!(guard.has_token(wrong), Err(Refusal::Token), "{wrong:?}");
        }
        assert_eq!(Guard::new(Vec::new(), None).has_token(None), Ok(()));
        assert!(
            check_token("short").is_err() && check_token("with spaces in it, and long").is_err()
        );
    }
}
