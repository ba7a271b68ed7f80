import { Double, Int32 } from 'bson';
import { splitPipeline } from './splitPipeline.ts';

const match = { $match: { 'ns.coll': { $in: ['a', 'b'] } } };
const project = { $project: { fullDocument: 0 } };
const other = { $match: { operationType: 'insert' } };

test('a pipeline that only names collections and omits documents leaves no stage for the engine', () => {
  expect(splitPipeline([match, project])).toEqual({
    collections: new Set(['a', 'b']),
    hasFullDocument: false,
    rest: [],
  });
});

test.each([
  [{ $match: { 'ns.coll': 'a' } }, ['a']],
  [match, ['a', 'b']],
])('takes the names of the collections from the stage %j', (stage, collections) => {
  expect(splitPipeline([stage, other])).toEqual({
    collections: new Set(collections),
    hasFullDocument: true,
    rest: [other],
  });
});

test.each([0, false, new Int32(0), new Double(0)])(
  'a projection to %p omits the document',
  (fullDocument) => {
    expect(splitPipeline([{ $project: { fullDocument } }])).toMatchObject({
      hasFullDocument: false,
      rest: [],
    });
  },
);

test.each([
  [{ $match: { 'ns.coll': { $in: ['a', /b/] } } }],
  [{ $match: { 'ns.coll': { $ne: 'a' } } }],
  [{ $match: { 'ns.coll': 'a', operationType: 'insert' } }],
  [{ $match: { 'ns.coll': { $in: ['a'], $nin: ['b'] } } }],
  [{ $project: { fullDocument: 1 } }],
  [{ $project: { fullDocument: 0, ns: 0 } }],
  [{ $project: { 'fullDocument.text': 0 } }],
])('leaves the stage %j to the engine', (stage) => {
  expect(splitPipeline([stage])).toEqual({ collections: undefined, hasFullDocument: true, rest: [stage] });
});

test('leaves all stages behind a foreign stage to the engine, in their order', () => {
  expect(splitPipeline([other, match, project])).toEqual({
    collections: undefined,
    hasFullDocument: true,
    rest: [other, match, project],
  });
});
