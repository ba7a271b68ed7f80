import type { FieldProblem } from '../../../schema/Problem.ts';
import { problem } from '../../platform/errors/AppError.ts';
import { checkLine } from '../kernel/text/checkLine.ts';
import type { MediaRecord } from './model.ts';

/** What is wrong with a description of a picture for who does not see it. */
export function checkAltText(altText: string | null): FieldProblem[] {
  return altText === null ? [] : [...checkLine(altText, '#/altText', { maximum: 500 })];
}

/** What is wrong with the point that must stay visible. */
export function checkFocalPoint(point: MediaRecord['focalPoint']): FieldProblem[] {
  return (['x', 'y'] as const)
    .filter((axis) => point && !(point[axis] >= 0 && point[axis] <= 1))
    .map((axis) => problem(`#/focalPoint/${axis}`, 'A fraction of the image must be from 0 to 1.'));
}
