import { type Detector, detectors, namesOf, type RedactionKind } from './detectors.ts';

/** Invisible characters can hide a number from patterns and readers. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;
const placeholder = /\[[A-Z]+(?:_[A-Z]+)*_\d+\]/u;

interface Hit {
  readonly kind: RedactionKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces what is personal or secret in the texts of one request by placeholders such as `[EMAIL_1]`; the same value
 * is the same placeholder in all of them. It recognises patterns and claims no more than that. Linear in the text.
 */
export class Redactor {
  readonly #detectors: readonly Detector[];
  readonly #numbers = new Map<RedactionKind, Map<string, number>>();
  readonly #counts = new Map<RedactionKind, number>();

  /**
   * Creates a redactor.
   *
   * @param names names of people who occur in the text
   */
  constructor(names: readonly string[] = []) {
    this.#detectors = [...detectors, namesOf(names)];
  }

  /** Returns the redacted text, in Unicode's compatibility form (NFKC) without invisible characters. */
  redact(text: string): string {
    const visible = text.normalize('NFKC').replace(invisible, '');
    const parts: string[] = [];
    let from = 0;
    for (const { kind, start, end } of this.#find(visible)) {
      parts.push(visible.slice(from, start), this.#placeholderFor(kind, visible.slice(start, end)));
      from = end;
    }
    return [...parts, visible.slice(from)].join('');
  }

  /** Returns the number of replacements by kind. */
  get counts(): Readonly<Partial<Record<RedactionKind, number>>> {
    return Object.fromEntries(this.#counts);
  }

  /** Returns matches in text order. Of overlapping matches, that of the earlier detector is kept. */
  #find(text: string): Hit[] {
    const taken = new Uint8Array(text.length);
    const hits: Hit[] = [];
    for (const { kind, find } of this.#detectors) {
      for (const { start, end } of find(text)) {
        if (taken.subarray(start, end).includes(1)) continue;
        taken.fill(1, start, end);
        hits.push({ kind, start, end });
      }
    }
    return hits.sort((one, other) => one.start - other.start);
  }

  #placeholderFor(kind: RedactionKind, value: string): string {
    const known = this.#numbers.get(kind) ?? new Map<string, number>();
    this.#numbers.set(kind, known);
    const key = value.toLowerCase().replaceAll(/[\s.()/-]/g, '');
    const number = known.get(key) ?? known.size + 1;
    known.set(key, number);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    return `[${kind.toUpperCase()}_${number}]`;
  }
}

/** Returns whether a text contains a placeholder. Such a suggestion would publish that something was removed. */
export function hasPlaceholder(text: string): boolean {
  return placeholder.test(text);
}
