const separators = /[^\p{L}\p{M}\p{N}]+/u;

/** Decodes percent-encoding; a slug with an invalid escape is returned unchanged. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** Returns the words of a URL part, in comparison form. */
export function readSlugWords(slug: string): string[] {
  return decodeSlug(slug).normalize('NFKC').toLowerCase().split(separators).filter(Boolean);
}
