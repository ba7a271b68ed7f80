import { PositionMap } from './PositionMap.ts';

export type BlockKind = 'paragraph' | 'heading' | 'listItem' | 'cell' | 'caption';

/** A run of inline content between two block boundaries, whitespace at both ends left out. */
export interface Block {
  kind: BlockKind;
  centred: boolean;
  start: number;
  end: number;
}

/** Ends a sentence but not a paragraph. */
const lineSeparator = '\u2028';
/** Ends a block; the sentence segmenter never crosses it. */
const blockSeparator = '\u2029';

const visible = /\S/;
const whitespace = /[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]/g;
const lineBreaks = /[\n\u2028]/g;
const otherWhitespace = /[\t\v\f\r\x1c-\x1f\x85\u2029]/g;

/**
 * Builds the plain text of a document with its position map and its blocks. Every whitespace character becomes one
 * space, so that offsets inside a run stay equal.
 */
export class TextBuilder {
  readonly positions = new PositionMap();
  readonly blocks: Block[] = [];
  readonly #parts: string[] = [];
  #length = 0;
  #blockStart = 0;
  #blockHasText = false;
  #linesSinceText = 0;

  get length(): number {
    return this.#length;
  }

  appendCopied(raw: string, htmlStart: number, preformatted: boolean): void {
    const text = preformatted
      ? raw.replace(lineBreaks, lineSeparator).replace(otherWhitespace, ' ')
      : raw.replace(whitespace, ' ');
    this.positions.addCopied(this.#length, htmlStart, text.length);
    this.#push(text);
  }

  /** Appends text that replaces other HTML: a decoded entity, or a space for an image between two words. */
  appendReplaced(text: string, htmlStart: number, htmlEnd: number): void {
    this.positions.addReplaced(this.#length, htmlStart, htmlEnd);
    this.#push(text.replace(whitespace, ' '));
  }

  /** Handles `<br>`: one ends the line, and two in a row are a paragraph in editors without paragraphs. */
  breakLine(htmlStart: number, htmlEnd: number, kind: BlockKind, centred: boolean): void {
    if (this.#linesSinceText > 0) {
      this.breakBlock(htmlStart, kind, centred);
      return;
    }
    this.positions.addReplaced(this.#length, htmlStart, htmlEnd);
    this.#parts.push(lineSeparator);
    this.#length += 1;
    if (this.#blockHasText) this.#linesSinceText += 1;
  }

  /** Closes the block that is open; `kind` and `centred` describe the element it was in. */
  breakBlock(htmlAt: number, kind: BlockKind, centred: boolean): void {
    if (this.#blockHasText) {
      this.blocks.push({ kind, centred, start: this.#blockStart, end: this.#length });
      this.positions.addReplaced(this.#length, htmlAt, htmlAt);
      this.#parts.push(blockSeparator);
      this.#length += 1;
    }
    this.#blockStart = this.#length;
    this.#blockHasText = false;
    this.#linesSinceText = 0;
  }

  /** Returns the whole text, with blocks trimmed to their visible characters. */
  finish(): string {
    const text = this.#parts.join('');
    for (const block of this.blocks) {
      while (block.start < block.end && !visible.test(text[block.start] ?? '')) block.start += 1;
      while (block.end > block.start && !visible.test(text[block.end - 1] ?? '')) block.end -= 1;
    }
    return text;
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (visible.test(text)) {
      this.#blockHasText = true;
      this.#linesSinceText = 0;
    }
  }
}
