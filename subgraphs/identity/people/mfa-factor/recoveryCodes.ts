import { createHmac, randomBytes } from 'node:crypto';

const codesPerUser = 10;
/** Crockford's base32: no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codePattern = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/** Ten new recovery codes of 60 random bits, as they are shown: `XXXX-XXXX-XXXX`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codesPerUser }, () => {
    const code = Array.from(randomBytes(12), (byte) => alphabet[byte % 32]).join('');
    return code.replace(/(.{4})(?!$)/g, '$1-');
  });
}

/**
 * What is stored instead of a recovery code: HMAC-SHA-256 of user and code, so that a reader of the database cannot
 * try codes without the deployment's secret. Case, dashes and letters that look like digits are accepted.
 *
 * @param key secret of the purpose `recoveryCode`
 * @returns null for what no code looks like
 */
export function hashRecoveryCode(key: Buffer, userId: string, code: string): string | null {
  const plain = code
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (!codePattern.test(plain)) return null;
  return createHmac('sha256', key).update(`${userId}:${plain}`).digest('base64url');
}
