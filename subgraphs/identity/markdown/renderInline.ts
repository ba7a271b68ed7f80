const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const tags = { '**': 'strong', '*': 'em', _: 'em' } as const;
/** The end of a link. No spaces in it, so that what does not end soon is not searched for far away. */
const linkEnd = /\]\((https?:\/\/[^\s()<>"]{1,2000}|mailto:[^\s()<>"]{1,254})\)/y;
const escapable = /[\\*_[\]()#+\-.!]/;

type Mark = keyof typeof tags | '[';

/** Text for HTML: nothing in it opens a tag or ends an attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Emphasis and links within a paragraph. Every mark is opened and closed at most once, so the time stays in
 * proportion to the length, however the marks are nested.
 */
export function renderInline(text: string): string {
  return new InlineRenderer(text).render();
}

class InlineRenderer {
  readonly #text: string;
  readonly #output: string[] = [];
  /** Marks that wait for their partner, and where in the output they stand. */
  readonly #open: { mark: Mark; at: number; links: number }[] = [];
  readonly #openCount: Record<Mark, number> = { '**': 0, '*': 0, _: 0, '[': 0 };
  #position = 0;
  #plainFrom = 0;
  /** Links so far: a bracket that was opened before the last one cannot become a link around it. */
  #links = 0;

  constructor(text: string) {
    this.#text = text;
  }

  render(): string {
    while (this.#position < this.#text.length) {
      const length = this.#renderMark(this.#text[this.#position] ?? '');
      this.#position += length || 1;
      if (length > 0) this.#plainFrom = this.#position;
    }
    this.#flush();
    return this.#output.join('');
  }

  /** Length of the mark that was handled; 0 for plain text. */
  #renderMark(character: string): number {
    switch (character) {
      case '\\':
        return this.#renderEscape();
      case '[':
        this.#flush();
        this.#push('[');
        return 1;
      case ']':
        return this.#closeLink();
      case '*':
        return this.#emphasize(this.#isDouble() ? '**' : '*');
      case '_':
        return this.#emphasize('_');
      default:
        return 0;
    }
  }

  #renderEscape(): number {
    const escaped = this.#text[this.#position + 1] ?? '';
    if (!escapable.test(escaped)) return 0;
    this.#flush();
    this.#output.push(escaped);
    return 2;
  }

  #closeLink(): number {
    if (this.#openCount['['] === 0) return 0;
    linkEnd.lastIndex = this.#position;
    const found = linkEnd.exec(this.#text);
    if (!found) return 0;
    this.#flush();
    const at = this.#pop('[');
    this.#output[at] = `<a href="${escapeHtml(found[1] ?? '')}" rel="nofollow ugc noopener">`;
    this.#output.push('</a>');
    this.#links += 1;
    this.#openCount['['] = 0;
    return found[0].length;
  }

  /** Of three asterisks, the first two open, and the first one closes what was opened last. */
  #isDouble(): boolean {
    const [, second, third] = this.#text.slice(this.#position, this.#position + 3);
    return second === '*' && !(third === '*' && this.#open.at(-1)?.mark === '*');
  }

  #emphasize(mark: keyof typeof tags): number {
    const before = this.#text[this.#position - 1] ?? ' ';
    const after = this.#text[this.#position + mark.length] ?? ' ';
    // snake_case is a word, not emphasis.
    const inWord = mark === '_' && isWord(before) && isWord(after);
    this.#flush();
    if (!inWord && !isSpace(before) && this.#openCount[mark] > 0) {
      const at = this.#pop(mark);
      this.#output[at] = `<${tags[mark]}>`;
      this.#output.push(`</${tags[mark]}>`);
    } else if (!inWord && !isSpace(after)) this.#push(mark);
    else this.#output.push(mark);
    return mark.length;
  }

  #push(mark: Mark): void {
    this.#open.push({ mark, at: this.#output.push(mark) - 1, links: this.#links });
    this.#openCount[mark] += 1;
  }

  /** Takes the latest open mark of this kind; marks opened after it stay the characters they are. */
  #pop(mark: Mark): number {
    for (let entry = this.#open.pop(); entry; entry = this.#open.pop()) {
      if (entry.mark !== '[' || entry.links === this.#links) this.#openCount[entry.mark] -= 1;
      if (entry.mark === mark) return entry.at;
    }
    throw new Error('A mark was counted as open that is not.');
  }

  /** Writes the plain text up to here. */
  #flush(): void {
    if (this.#position > this.#plainFrom)
      this.#output.push(escapeHtml(this.#text.slice(this.#plainFrom, this.#position)));
    this.#plainFrom = this.#position;
  }
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}
