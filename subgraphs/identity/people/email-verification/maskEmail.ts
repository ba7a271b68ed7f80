/**
 * An address as it is shown to whoever reads the mailbox before it: enough for the owner to know it again, not enough
 * for somebody else to write there.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
