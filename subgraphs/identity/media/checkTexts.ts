import type { FieldProblem } from '../../../schema/Problem.ts';
import { problem } from '../../platform/errors/AppError.ts';
import { checkLine } from '../kernel/text/checkLine.ts';
import type { MediaRecord } from './model.ts';

/** Returns the error in an alternative text, null if it is valid. */
export function checkAltText(altText: string | null): FieldProblem[] {
  return altText === null ? [] : [...checkLine(altText, '#/altText', { maximum: 500 })];
}

/** Returns the error in the focal point, null if it is valid. */
export function checkFocalPoint(point: MediaRecord['focalPoint']): FieldProblem[] {
  return (['x', 'y'] as const)
    .filter((axis) => point && !(point[axis] >= 0 && point[axis] <= 1))
    .map((axis) => problem(`#/focalPoint/${axis}`, 'A fraction of the image must be from 0 to 1.'));
}
