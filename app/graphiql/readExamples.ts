import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An operation that runs without variables. */
export interface ExampleOperation {
  readonly title: string;
  readonly text: string;
}

/** Example operations of one part of the product. */
export interface ExampleArea {
  readonly title: string;
  /** Who may run the operations. */
  readonly for: string;
  readonly operations: readonly ExampleOperation[];
}

/** Areas in the order in which the explorer lists them. The operations are in a file of the same name. */
const areas = [
  { name: 'catalogue', title: 'Catalogue', for: 'For everyone' },
  { name: 'account', title: 'Account', for: 'For every user' },
  { name: 'selling', title: 'Selling', for: 'For a dealer, as dealer@demo.example' },
  { name: 'seo', title: 'Search optimization', for: 'For a dealer, as dealer@demo.example' },
  { name: 'translation', title: 'Translation', for: 'For a translator, as translator@demo.example' },
  { name: 'administration', title: 'Administration', for: 'For an administrator, as admin@demo.example' },
] as const;

export type AreaName = (typeof areas)[number]['name'];

/** Names of all areas. */
export const areaNames: readonly AreaName[] = areas.map(({ name }) => name);

/** Returns the example operations of an area. Each begins with a comment line, which is its title. */
export function readOperations(name: AreaName): ExampleOperation[] {
  const text = readFileSync(path.join(import.meta.dirname, 'examples', `${name}.graphql`), 'utf8');
  return text.split(/^(?=# )/m).map((operation) => ({
    title: /^# (.*)/.exec(operation)?.[1] ?? '',
    text: operation.trim(),
  }));
}

/** Returns the example operations of all areas. */
export function readExamples(): ExampleArea[] {
  return areas.map(({ name, title, for: whom }) => ({ title, for: whom, operations: readOperations(name) }));
}
