//! Ciphers that authenticate what they hide (GCM, CCM, ChaCha20-Poly1305), and authentication alone
//! (CMAC, Poly1305), for `crypto`.

use super::ciphers::{Blocks, blocks, bytes, increment, name, xor};
use super::{Builtin, function};
use crate::raise::Raise;
use chacha20poly1305::aead::{AeadInPlace, KeyInit};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use poly1305::Poly1305;
use reverl_term::{Term, atoms};

pub const TABLE: &[Builtin] = &[
    function("reverl", "seal", 6, |_, a| {
        let length = a[5].as_usize().ok_or_else(Raise::badarg)?;
        let (hidden, tag) = Sealing::of(a)?.seal(&bytes(&a[3])?, length)?;
        let tag = tag.get(..length).ok_or_else(Raise::badarg)?;
        Ok(Term::tuple(vec![Term::binary(&hidden), Term::binary(tag)]))
    }),
    function("reverl", "open_sealed", 6, |_, a| {
        let (hidden, tag) = (bytes(&a[3])?, bytes(&a[5])?);
        let sealing = Sealing::of(a)?;
        // All of them add a stream to the data: what it is added to twice is as before.
        let (shown, _) = sealing.seal(&hidden, tag.len())?;
        let (_, right) = sealing.seal(&shown, tag.len())?;
        match right.get(..tag.len()) == Some(&tag[..]) {
            true => Ok(Term::binary(&shown)),
            false => Ok(Term::atom(atoms::ERROR)),
        }
    }),
    function("reverl", "cmac", 3, |_, a| {
        let (blocks, size) = blocks(name(&a[0])?, &bytes(&a[1])?).ok_or_else(Raise::badarg)?;
        Ok(Term::binary(&cmac(&*blocks, size, &bytes(&a[2])?)))
    }),
    function("reverl", "poly1305", 2, |_, a| {
        let poly = Poly1305::new_from_slice(&bytes(&a[0])?).map_err(|_| Raise::badarg())?;
        Ok(Term::binary(&poly.compute_unpadded(&bytes(&a[1])?)))
    }),
];

/// A cipher with its key, a nonce and what is authenticated beside.
struct Sealing {
    cipher: &'static str,
    key: Vec<u8>,
    nonce: Vec<u8>,
    beside: Vec<u8>,
}

impl Sealing {
    /// `Cipher, Key, Nonce, Data, Beside, Tag`
    fn of(a: &[Term]) -> Result<Sealing, Raise> {
        let (cipher, key, nonce) = (name(&a[0])?, bytes(&a[1])?, bytes(&a[2])?);
        Ok(Sealing { cipher, key, nonce, beside: bytes(&a[4])? })
    }

    /// The hidden data and the whole tag.
    fn seal(&self, data: &[u8], tag_length: usize) -> Result<(Vec<u8>, Vec<u8>), Raise> {
        let mut data = data.to_vec();
        let aes = || blocks("aes", &self.key).map(|(aes, _)| aes).ok_or_else(Raise::badarg);
        let tag = match self.cipher {
            "gcm" => self.gcm(&*aes()?, &mut data),
            "ccm" => self.ccm(&*aes()?, &mut data, tag_length).ok_or_else(Raise::badarg)?,
            "chacha20_poly1305" => {
                let cipher = chacha20poly1305::ChaCha20Poly1305::new_from_slice(&self.key)
                    .map_err(|_| Raise::badarg())?;
                let nonce = <[u8; 12]>::try_from(&self.nonce[..]).map_err(|_| Raise::badarg())?;
                let tag = cipher.encrypt_in_place_detached(&nonce.into(), &self.beside, &mut data);
                tag.map_err(|_| Raise::badarg())?.to_vec()
            }
            _ => return Err(Raise::badarg()),
        };
        Ok((data, tag))
    }

    fn gcm(&self, aes: &dyn Blocks, data: &mut [u8]) -> Vec<u8> {
        let mut key = [0; 16];
        aes.encrypt(&mut key);
        let hash = |parts: &[&[u8]], lengths: [u64; 2]| {
            let mut hash = GHash::new(&key.into());
            parts.iter().for_each(|part| hash.update_padded(part));
            let mut last = [0; 16];
            last[..8].copy_from_slice(&(lengths[0] * 8).to_be_bytes());
            last[8..].copy_from_slice(&(lengths[1] * 8).to_be_bytes());
            hash.update(&[last.into()]);
            hash.finalize().to_vec()
        };
        let mut counter = match self.nonce.len() {
            12 => [&self.nonce[..], &[0, 0, 0, 1]].concat(),
            length => hash(&[&self.nonce], [0, length as u64]),
        };
        let mut mask = counter.clone();
        aes.encrypt(&mut mask);
        add_stream(aes, &mut counter, 12, data);
        let lengths = [self.beside.len() as u64, data.len() as u64];
        let mut tag = hash(&[&self.beside, data], lengths);
        xor(&mut tag, &mask);
        tag
    }

    /// None if nonce or tag have a length that there is not.
    fn ccm(&self, aes: &dyn Blocks, data: &mut [u8], tag_length: usize) -> Option<Vec<u8>> {
        let width = 15usize.checked_sub(self.nonce.len()).filter(|n| (2..=8).contains(n))?;
        if !(4..=16).contains(&tag_length) || tag_length % 2 != 0 {
            return None;
        }
        let block = |flags: usize, number: u64| {
            let number = &number.to_be_bytes()[8 - width..];
            [&[flags as u8], &self.nonce[..], number].concat()
        };
        let has_beside = usize::from(!self.beside.is_empty());
        let flags = 64 * has_beside + 8 * ((tag_length - 2) / 2) + width - 1;
        let mut mac = block(flags, data.len() as u64);
        aes.encrypt(&mut mac);
        let mut add = |bytes: &[u8]| {
            for chunk in bytes.chunks(16) {
                xor(&mut mac, chunk);
                aes.encrypt(&mut mac);
            }
        };
        if has_beside == 1 {
            let length = self.beside.len();
            let prefix = match length < 0xFF00 {
                true => (length as u16).to_be_bytes().to_vec(),
                false => [&[0xFF, 0xFE], &(length as u32).to_be_bytes()[..]].concat(),
            };
            add(&[&prefix[..], &self.beside].concat());
        }
        add(data);
        let mut counter = block(width - 1, 0);
        let mut mask = counter.clone();
        aes.encrypt(&mut mask);
        xor(&mut mac, &mask);
        add_stream(aes, &mut counter, 16 - width, data);
        Some(mac)
    }
}

/// Adds the blocks after this counter, which is what begins at `from`.
fn add_stream(aes: &dyn Blocks, counter: &mut [u8], from: usize, data: &mut [u8]) {
    for chunk in data.chunks_mut(16) {
        increment(&mut counter[from..]);
        let mut pad = counter.to_vec();
        aes.encrypt(&mut pad);
        xor(chunk, &pad);
    }
}

fn cmac(blocks: &dyn Blocks, size: usize, data: &[u8]) -> Vec<u8> {
    // The key for a whole last block, and for one that had to be filled up.
    let double = |block: &[u8]| {
        let carry = block[0] >> 7;
        let mut doubled: Vec<u8> = (0..size)
            .map(|i| block[i] << 1 | block.get(i + 1).map_or(0, |next| next >> 7))
            .collect();
        doubled[size - 1] ^= carry * if size == 16 { 0x87 } else { 0x1B };
        doubled
    };
    let mut zero = vec![0; size];
    blocks.encrypt(&mut zero);
    let whole = double(&zero);
    let filled = double(&whole);
    let split = data.len().saturating_sub(1) / size * size;
    let (before, rest) = data.split_at(split);
    let mut mac = vec![0; size];
    for block in before.chunks(size) {
        xor(&mut mac, block);
        blocks.encrypt(&mut mac);
    }
    let mut last = rest.to_vec();
    if last.len() == size {
        xor(&mut last, &whole);
    } else {
        last.push(0x80);
        last.resize(size, 0);
        xor(&mut last, &filled);
    }
    xor(&mut mac, &last);
    blocks.encrypt(&mut mac);
    mac
}
