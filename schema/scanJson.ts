const quote = 34;
const backslash = 92;
const colon = 58;

/** Result of a scan of a JSON text. */
export interface JsonScan {
  /** Members of all objects, counted as they are written. */
  readonly members: number;
  /** Index of the first bracket beyond the maximum nesting, where the scan ended; -1 if there is none. */
  readonly tooDeepAt: number;
}

/**
 * Scans a JSON text without recursion before it is parsed, because later code may recurse. The text need not be valid;
 * the parser checks that.
 *
 * @param deepest maximum nesting of lists and objects
 */
export function scanJson(text: string, deepest: number): JsonScan {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) members += 1;
    // [ and { differ from ] and } in one bit: 91, 123 open, 93, 125 close.
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) return { members, tooDeepAt: at };
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return { members, tooDeepAt: -1 };
}

/** Returns the error for a JSON text that is nested too deeply, with its position and the remedy. */
export function describeDeepJson(at: number, deepest: number): string {
  return `The body is nested deeper than ${deepest} levels of lists and objects, from character ${at + 1} on. Send a flatter body.`;
}

/** Returns the position of the closing quote; the end of the text if there is none (the parser then refuses it). */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
