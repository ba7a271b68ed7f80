import { type DocumentNode, Kind, print, visit } from 'graphql';

/** Prints an operation with empty strings and zeros instead of its literals; the used fields remain. */
export function withoutLiterals(document: DocumentNode): string {
  return print(
    visit(document, {
      [Kind.STRING]: (node) => ({ ...node, value: '', block: false }),
      [Kind.INT]: (node) => ({ ...node, value: '0' }),
      [Kind.FLOAT]: (node) => ({ ...node, value: '0' }),
    }),
  );
}
