import { generateSecret, generateURI, verifySync } from 'otplib';

const stepSeconds = 30;

/** New secret of a factor: 160 bits (RFC 4226, 4) in base32, as authenticator applications take it. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** Content of the QR code for an authenticator application. */
export function toOtpauthUri(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): string {
  return generateURI({ secret, issuer, label: account, algorithm: 'sha1', digits: 6, period: stepSeconds });
}

/**
 * The time step of a code (RFC 6238: SHA-1, 6 digits, 30 seconds), one step ahead or behind included for clocks that
 * differ; null for a wrong one. That a step is good once is the caller's business.
 */
export function findTimeStep(secret: string, otp: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(otp)) return null;
  const epoch = Math.floor(nowMs / 1000);
  const found = verifySync({ secret, token: otp, epoch, epochTolerance: stepSeconds, period: stepSeconds });
  return found.valid && 'timeStep' in found ? found.timeStep : null;
}
