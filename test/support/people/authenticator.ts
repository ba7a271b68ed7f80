import { Secret, TOTP } from 'otpauth';

/** A third-party authenticator application (RFC 6238). */
export interface Authenticator {
  /** Its current code, or the code of another step of 30 seconds. */
  code(nowMs: number, steps?: number): string;
  /** A code of six digits that is invalid for this hour. */
  wrongCode(nowMs: number): string;
}

/** @param secret in base32, from the enrollment */
export function openAuthenticator(secret: string): Authenticator {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  const code = (nowMs: number, steps = 0) => totp.generate({ timestamp: nowMs + steps * 30_000 });
  return {
    code,
    wrongCode(nowMs) {
      const right = new Set(Array.from({ length: 121 }, (_, index) => code(nowMs, index - 60)));
      const wrong = Array.from({ length: 200 }, (_, index) => String(index).padStart(6, '0'));
      return wrong.find((candidate) => !right.has(candidate)) ?? '';
    },
  };
}
