/**
 * An address as shown in a mail to the former mailbox: enough for the owner to recognise it, not enough for others to
 * write there.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
