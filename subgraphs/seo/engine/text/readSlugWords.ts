const separators = /[^\p{L}\p{M}\p{N}]+/u;

/** Percent-encoding undone; a slug with a broken escape is taken as it is. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** The words of an address part, in comparison form. */
export function readSlugWords(slug: string): string[] {
  return decodeSlug(slug).normalize('NFKC').toLowerCase().split(separators).filter(Boolean);
}
