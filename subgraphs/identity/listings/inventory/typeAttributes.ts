import type { AttributeSchema, CategoryRecord } from '../category/model.ts';

const numberPattern = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** A whole number; `84.000` could also be eighty-four thousand, as German systems write it. */
const integerPattern = /^-?\d{1,15}(?:\.0{1,2})?$/;
const ambiguousPattern = /^-?[1-9]\d{0,2}\.000$/;

/**
 * Converts cells of a table to attributes: numbers, booleans and lists (separated by `|`) according to their category.
 * An unreadable or ambiguous value stays a text, which the validation refuses.
 */
export function typeAttributes(
  cells: Readonly<Record<string, unknown>>,
  category: CategoryRecord | null,
): Record<string, unknown> {
  const properties = category?.attributeSchema?.properties ?? {};
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [
      name,
      typeof cell === 'string' ? typed(cell.trim(), properties[name]?.type) : cell,
    ]),
  );
}

function typed(cell: string, type: AttributeSchema['type'] | undefined): unknown {
  switch (type) {
    case 'integer':
      return integerPattern.test(cell) ? Number(cell) : cell;
    case 'number':
      return numberPattern.test(cell) && !ambiguousPattern.test(cell) ? Number(cell) : cell;
    case 'boolean':
      return cell === 'true' ? true : cell === 'false' ? false : cell;
    case 'array':
      return cell.split('|').map((item) => item.trim());
    default:
      return cell;
  }
}
