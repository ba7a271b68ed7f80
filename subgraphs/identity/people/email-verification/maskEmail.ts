/** Masks an address in a mail to the former mailbox. The owner can recognize it, but others cannot write to it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
