package redis

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// seal hides values and keys from whoever reads Redis, and refuses what others have written there.
type seal struct {
	values, names []byte // keys
	prefix        string
}

const (
	keySize  = 32
	saltSize = 16
	nameSize = 24
)

var errForeign = errors.New("a value in what is shared was sealed with another key, or by another program")

func newSeal(key, prefix string) (s seal, err error) {
	s.prefix = prefix
	values, err := hkdf.Key(sha256.New, []byte(key), nil, "abl-lsp shared values", keySize)
	if err != nil {
		return s, err
	}
	names, err := hkdf.Key(sha256.New, []byte(key), nil, "abl-lsp shared names", keySize)
	s.values, s.names = values, names
	return s, err
}

// name returns the name of an entry, which does not show the key.
func (s seal) name(kind, key string) string {
	h := hmac.New(sha256.New, s.names)
	h.Write(binary.AppendUvarint(nil, uint64(len(kind))))
	h.Write([]byte(kind + key))
	return s.prefix + kind + ":" + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:nameSize])
}

// close seals the value of a key, together with the key. Each value has its own AES key, so that any
// number of values may be sealed.
func (s seal) close(name, key string, raw []byte) ([]byte, error) {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // it never fails
	aead, err := s.aead(salt)
	if err != nil {
		return nil, err
	}
	plain := binary.AppendUvarint(nil, uint64(len(key)))
	plain = append(append(plain, key...), raw...)
	return aead.Seal(salt, nil, plain, []byte(name)), nil
}

// open returns what close has sealed.
func (s seal) open(name string, sealed []byte) (key string, raw []byte, err error) {
	if len(sealed) < saltSize {
		return "", nil, errForeign
	}
	aead, err := s.aead(sealed[:saltSize])
	if err != nil {
		return "", nil, err
	}
	plain, err := aead.Open(nil, nil, sealed[saltSize:], []byte(name))
	if err != nil {
		return "", nil, errForeign
	}
	n, start := binary.Uvarint(plain)
	if start <= 0 || n > uint64(len(plain)-start) {
		return "", nil, errForeign
	}
	end := start + int(n)
	return string(plain[start:end]), plain[end:], nil
}

func (s seal) aead(salt []byte) (cipher.AEAD, error) {
	h := hmac.New(sha256.New, s.values)
	h.Write(salt)
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
