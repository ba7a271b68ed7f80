import { domainToASCII } from 'node:url';

/** The characters of a dot-atom (RFC 5321, 4.1.2), between single dots. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Characters of a domain, in any script: `domainToASCII` drops line breaks and cuts off the part after a slash. */
const domainText = /^[\p{L}\p{M}\p{N}.-]+$/u;
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the normalized form of an address: lower case, domain in ASCII (IDNA). Null for an invalid mailbox or one of
 * more than 254 characters. Quoted local parts and address literals are refused, because no provider issues them and
 * they can disguise an address.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > 254) return null;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const written = text.slice(at + 1);
  const domain = domainText.test(written) ? domainToASCII(written).toLowerCase() : '';
  const labels = domain.split('.');
  if (local.length > 64 || !localPart.test(local) || domain.length > 253) return null;
  if (
    labels.length < 2 ||
    /^\d+$/.test(labels.at(-1) ?? '') ||
    !labels.every((label) => domainLabel.test(label))
  )
    return null;
  return `${local.toLowerCase()}@${domain}`;
}
