//! Ciphers for `crypto`, in the place of OpenSSL: blocks in their modes, and the stream ChaCha20. What
//! authenticates too is in `sealing`.

use super::{Builtin, Value, function};
use crate::raise::Raise;
use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use reverl_term::{Term, View};

pub const TABLE: &[Builtin] = &[function("reverl", "cipher", 6, |_, a| cipher(a))];

/// A cipher of blocks, whatever their size.
pub trait Blocks {
    fn encrypt(&self, block: &mut [u8]);
    fn decrypt(&self, block: &mut [u8]);
}

impl<T: BlockEncrypt + BlockDecrypt> Blocks for T {
    fn encrypt(&self, block: &mut [u8]) {
        self.encrypt_block(GenericArray::from_mut_slice(block));
    }

    fn decrypt(&self, block: &mut [u8]) {
        self.decrypt_block(GenericArray::from_mut_slice(block));
    }
}

/// The cipher of a family with this key, and the size of its blocks.
pub fn blocks(family: &str, key: &[u8]) -> Option<(Box<dyn Blocks>, usize)> {
    Some(match (family, key.len()) {
        ("aes", 16) => (Box::new(aes::Aes128::new_from_slice(key).ok()?), 16),
        ("aes", 24) => (Box::new(aes::Aes192::new_from_slice(key).ok()?), 16),
        ("aes", 32) => (Box::new(aes::Aes256::new_from_slice(key).ok()?), 16),
        ("des", 8) => (Box::new(des::Des::new_from_slice(key).ok()?), 8),
        ("des_ede3", 24) => (Box::new(des::TdesEde3::new_from_slice(key).ok()?), 8),
        _ => return None,
    })
}

pub fn bytes(term: &Term) -> Result<Vec<u8>, Raise> {
    term.binary_bytes().map(|bytes| bytes.to_vec()).ok_or_else(Raise::badarg)
}

pub fn name(term: &Term) -> Result<&'static str, Raise> {
    term.as_atom().map(|atom| atom.name()).ok_or_else(Raise::badarg)
}

pub fn xor(into: &mut [u8], other: &[u8]) {
    into.iter_mut().zip(other).for_each(|(a, b)| *a ^= b);
}

/// `cipher(Family, Mode, Key, {Register, Offset}, Data, Encrypt)`: what comes out, and the register and
/// offset with which the stream goes on.
fn cipher(a: &[Term]) -> Value {
    let View::Tuple([register, offset]) = a[3].view() else { return Err(Raise::badarg()) };
    let (family, key, mut data) = (name(&a[0])?, bytes(&a[2])?, bytes(&a[4])?);
    let (register, offset) = (bytes(register)?, offset.as_usize().ok_or_else(Raise::badarg)?);
    let encrypts = a[5].as_bool().ok_or_else(Raise::badarg)?;
    let (register, offset) = if family == "chacha20" {
        chacha20(&key, &register, offset, &mut data)?;
        (register, offset + data.len())
    } else {
        let (blocks, size) = blocks(family, &key).ok_or_else(Raise::badarg)?;
        let mut chain = Chain { blocks: &*blocks, size, register, offset };
        chain.run(name(&a[1])?, &mut data, encrypts)?;
        (chain.register, chain.offset)
    };
    let state = Term::tuple(vec![Term::binary(&register), Term::int(offset as i64)]);
    Ok(Term::tuple(vec![Term::binary(&data), state]))
}

/// OpenSSL's vector is a counter of four bytes before the nonce.
fn chacha20(key: &[u8], vector: &[u8], offset: usize, data: &mut [u8]) -> Result<(), Raise> {
    let (Ok(counter), Some(nonce)) =
        (<[u8; 4]>::try_from(&vector[..4.min(vector.len())]), vector.get(4..))
    else {
        return Err(Raise::badarg());
    };
    let mut stream =
        chacha20::ChaCha20::new_from_slices(key, nonce).map_err(|_| Raise::badarg())?;
    stream.seek(u64::from(u32::from_le_bytes(counter)) * 64 + offset as u64);
    stream.apply_keystream(data);
    Ok(())
}

/// A mode on its way through the data.
struct Chain<'a> {
    blocks: &'a dyn Blocks,
    size: usize,
    /// What the next block depends on: the vector at first.
    register: Vec<u8>,
    /// How much of the register has been used.
    offset: usize,
}

impl Chain<'_> {
    fn run(&mut self, mode: &str, data: &mut [u8], encrypts: bool) -> Result<(), Raise> {
        let is_whole = data.len() % self.size == 0;
        match mode {
            "ecb" if is_whole => data.chunks_mut(self.size).for_each(|block| match encrypts {
                true => self.blocks.encrypt(block),
                false => self.blocks.decrypt(block),
            }),
            "cbc" if is_whole => {
                data.chunks_mut(self.size).for_each(|block| self.cbc(block, encrypts));
            }
            "ctr" => self.ctr(data),
            "ofb" => data.iter_mut().for_each(|byte| {
                *byte ^= self.next_of_register();
                self.offset = (self.offset + 1) % self.size;
            }),
            "cfb" => data.iter_mut().for_each(|byte| {
                let shown = *byte ^ self.next_of_register();
                self.register[self.offset] = if encrypts { shown } else { *byte };
                *byte = shown;
                self.offset = (self.offset + 1) % self.size;
            }),
            "cfb8" => data.iter_mut().for_each(|byte| {
                let mut block = self.register.clone();
                self.blocks.encrypt(&mut block);
                let shown = *byte ^ block[0];
                self.register.remove(0);
                self.register.push(if encrypts { shown } else { *byte });
                *byte = shown;
            }),
            _ => return Err(Raise::badarg()),
        }
        Ok(())
    }

    fn cbc(&mut self, block: &mut [u8], encrypts: bool) {
        let came = block.to_vec();
        if encrypts {
            xor(block, &self.register);
            self.blocks.encrypt(block);
            self.register = block.to_vec();
        } else {
            self.blocks.decrypt(block);
            xor(block, &self.register);
            self.register = came;
        }
    }

    fn ctr(&mut self, data: &mut [u8]) {
        let pad_of = |register: &[u8]| {
            let mut pad = register.to_vec();
            self.blocks.encrypt(&mut pad);
            pad
        };
        let mut pad = pad_of(&self.register);
        for byte in data {
            *byte ^= pad[self.offset];
            self.offset += 1;
            if self.offset == self.size {
                self.offset = 0;
                increment(&mut self.register);
                pad = pad_of(&self.register);
            }
        }
    }

    /// The register is encrypted whenever all of it has been used.
    fn next_of_register(&mut self) -> u8 {
        if self.offset == 0 {
            self.blocks.encrypt(&mut self.register);
        }
        self.register[self.offset]
    }
}

/// The next number, of which the last byte is the least.
pub fn increment(counter: &mut [u8]) {
    for byte in counter.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}
