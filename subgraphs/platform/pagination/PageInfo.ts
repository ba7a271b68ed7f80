/** Position of a page in a list. Its cursors are computed when they are read. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
  /** Returns the cursor of an entry of the page. */
  cursorAt(index: number): string;
}

/** A page, and how the cursor of an entry is computed. */
export interface PageOptions<Entry> {
  readonly hasNextPage: boolean;
  /** Cursor after which the page starts. */
  readonly after: string | null | undefined;
  cursorOf(entry: Entry): string;
  /** Returns the end of what was examined, if it can be behind the last entry. */
  endCursor?(): string | null;
}

/**
 * Returns the position of a page.
 *
 * @param entries entries from which the cursors are computed, in the order of the nodes
 */
export function toPageInfo<Entry>(
  entries: readonly Entry[],
  { hasNextPage, after, cursorOf, endCursor }: PageOptions<Entry>,
): PageInfo {
  const cursorAt = (index: number): string => {
    const entry = entries.at(index);
    if (entry === undefined) throw new Error(`The page has no entry ${index}.`);
    return cursorOf(entry);
  };
  return {
    hasNextPage,
    hasPreviousPage: typeof after === 'string' && after !== '',
    get startCursor() {
      return entries.length > 0 ? cursorAt(0) : null;
    },
    get endCursor() {
      if (endCursor) return endCursor();
      return entries.length > 0 ? cursorAt(-1) : null;
    },
    cursorAt,
  };
}
