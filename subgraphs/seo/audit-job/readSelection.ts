import type { FieldProblem } from '../../../schema/Problem.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { countProblems, textProblems } from '../analysis/checkTexts.ts';
import { type ObjectRef, toObjectRef } from '../object/ObjectRef.ts';
import type { SeoAuditFilterInput, StartSeoAuditInput } from '../seo.generated.ts';
import { mostItems } from './model.ts';

const mostChecks = 100;
const mostRejectable = 100;

/** What an audit is of: objects that were named, or a filter. */
export type Selection = { items: ObjectRef[] } | { filter: SeoAuditFilterInput };

/**
 * Reads what is to be audited, before anything is asked.
 *
 * @throws AppError `validation_failed` with every invalid member
 */
export function readSelection({ items, filter, checks }: StartSeoAuditInput): Selection {
  const problems: FieldProblem[] = [
    ...countProblems('#/checks', checks, mostChecks),
    ...(checks ?? []).flatMap((id, index) => textProblems(`#/checks/${index}`, id, 100)),
  ];
  if (items && !filter) {
    const objects = items.map(toObjectRef);
    problems.push(...itemProblems(objects));
    if (problems.length === 0) return { items: objects };
  } else if (filter && !items) {
    problems.push(...filterProblems(filter));
    if (problems.length === 0) return { filter };
  } else {
    problems.push(invalid('#/items', 'Send either "items" or a "filter".'));
  }
  throw invalidFields(problems);
}

function itemProblems(items: readonly ObjectRef[]): FieldProblem[] {
  if (items.length === 0) return [invalid('#/items', 'Name at least one object.')];
  if (items.length > mostItems) return countProblems('#/items', items, mostItems);
  const seen = new Set<string>();
  return items
    .flatMap(({ id }, index) => {
      if (!seen.has(id)) return seen.add(id) && [];
      return [{ pointer: `#/items/${index}`, code: 'duplicate', detail: 'This object is named twice.' }];
    })
    .slice(0, mostRejectable);
}

function filterProblems({ types, status, limit, scoreBelow }: SeoAuditFilterInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (types.length === 0) problems.push(invalid('#/filter/types', 'Name at least one kind of objects.'));
  if (status?.length === 0)
    problems.push(invalid('#/filter/status', 'Name at least one state, or none of them by leaving it out.'));
  if (limit !== null && limit !== undefined && (limit < 1 || limit > mostItems))
    problems.push(invalid('#/filter/limit', `A limit is a number from 1 to ${mostItems}.`));
  if (scoreBelow !== null && scoreBelow !== undefined && (scoreBelow < 1 || scoreBelow > 100))
    problems.push(invalid('#/filter/scoreBelow', 'Scores are below a number from 1 to 100.'));
  return problems;
}

function invalid(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'invalid', detail };
}
