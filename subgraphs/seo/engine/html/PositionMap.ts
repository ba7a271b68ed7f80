/**
 * Translates offsets of the extracted plain text to offsets of the submitted HTML. The text is a sequence of runs.
 * Copied runs have one HTML unit for each text unit; replaced runs (an entity, a `<br>`) map to a range of HTML of any
 * length. Lookups are binary searches.
 */
export class PositionMap {
  readonly #textStarts: number[] = [];
  readonly #htmlStarts: number[] = [];
  /** -1 for a copied run, otherwise the end of the HTML of the whole run. */
  readonly #replacedEnds: number[] = [];
  #copiedTextEnd = -1;
  #copiedHtmlEnd = -1;

  addCopied(textStart: number, htmlStart: number, length: number): void {
    const continues = this.#copiedTextEnd === textStart && this.#copiedHtmlEnd === htmlStart;
    if (!continues) this.#push(textStart, htmlStart, -1);
    this.#copiedTextEnd = textStart + length;
    this.#copiedHtmlEnd = htmlStart + length;
  }

  addReplaced(textStart: number, htmlStart: number, htmlEnd: number): void {
    this.#push(textStart, htmlStart, htmlEnd);
    this.#copiedTextEnd = -1;
  }

  /** Returns the HTML range of a non-empty text range: from its first character to the end of its last. */
  toHtmlRange(textStart: number, textEnd: number): { start: number; end: number } {
    const start = this.#htmlRangeAt(textStart).start;
    return { start, end: textEnd > textStart ? this.#htmlRangeAt(textEnd - 1).end : start };
  }

  #push(textStart: number, htmlStart: number, replacedEnd: number): void {
    this.#textStarts.push(textStart);
    this.#htmlStarts.push(htmlStart);
    this.#replacedEnds.push(replacedEnd);
  }

  #htmlRangeAt(textOffset: number): { start: number; end: number } {
    let low = 0;
    let high = this.#textStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#textStarts[middle] ?? 0) <= textOffset) low = middle;
      else high = middle - 1;
    }
    const htmlStart = this.#htmlStarts[low] ?? 0;
    const replacedEnd = this.#replacedEnds[low] ?? -1;
    if (replacedEnd >= 0) return { start: htmlStart, end: replacedEnd };
    const start = htmlStart + textOffset - (this.#textStarts[low] ?? 0);
    return { start, end: start + 1 };
  }
}
