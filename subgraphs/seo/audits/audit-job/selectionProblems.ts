import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { ObjectRef } from '../../pages/object/ObjectRef.ts';
import type { SeoAuditFilterInput, StartSeoAuditInput } from '../../seo.generated.ts';

const mostRejectable = 100;

/** Returns the errors of the objects to audit that the SDL does not check. */
export function selectionProblems({ items, filter }: StartSeoAuditInput): FieldProblem[] {
  if (items && !filter) return itemProblems(items);
  if (filter && !items) return filterProblems(filter);
  return [invalid('#/items', 'Send either "items" or a "filter".')];
}

function itemProblems(items: readonly ObjectRef[]): FieldProblem[] {
  if (items.length === 0) return [invalid('#/items', 'Must contain at least one object.')];
  const seen = new Set<string>();
  return items
    .flatMap(({ id }, index) => {
      if (!seen.has(id)) return seen.add(id) && [];
      return [{ pointer: `#/items/${index}`, code: 'duplicate', detail: 'This object is listed twice.' }];
    })
    .slice(0, mostRejectable);
}

function filterProblems({ types, status }: SeoAuditFilterInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (types.length === 0) problems.push(invalid('#/filter/types', 'Must contain at least one object type.'));
  if (status?.length === 0)
    problems.push(
      invalid('#/filter/status', 'Must contain at least one state. Omit the member to select all states.'),
    );
  return problems;
}

function invalid(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'invalid', detail };
}
