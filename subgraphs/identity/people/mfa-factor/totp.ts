import { generateSecret, generateURI, verifySync } from 'otplib';

const stepSeconds = 30;

/** Returns a new secret of a factor: 160 bits (RFC 4226, 4) in Base32, as authenticator applications expect. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** Returns the content of the QR code for an authenticator application. */
export function toOtpauthUri(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): string {
  return generateURI({ secret, issuer, label: account, algorithm: 'sha1', digits: 6, period: stepSeconds });
}

/**
 * Returns the time step of a code (RFC 6238: SHA-1, 6 digits, 30 seconds); null for a wrong code. It accepts one step
 * before or after the current one to allow for clock skew. The caller ensures that a step is used only once.
 */
export function findTimeStep(secret: string, otp: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(otp)) return null;
  const epoch = Math.floor(nowMs / 1000);
  const found = verifySync({ secret, token: otp, epoch, epochTolerance: stepSeconds, period: stepSeconds });
  return found.valid && 'timeStep' in found ? found.timeStep : null;
}
