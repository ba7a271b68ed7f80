/** Pages that stall engines whose duration is not linear in the text; none is longer than 300 KB. */
export const hostilePages: Readonly<Record<string, string>> = {
  'one token of 100 KB': `<p>${'a'.repeat(100_000)}</p>`,
  '5,000 nested div': `${'<div>'.repeat(5000)}text${'</div>'.repeat(5000)}`,
  '5,000 links': '<a href="/x">used car</a> '.repeat(5000),
  '50 KB of <': '<'.repeat(50_000),
  '60 KB of a.a.a.': `<p>${'a.'.repeat(30_000)}</p>`,
  '20 KB of quotation marks': `<p>${'"'.repeat(20_000)}</p>`,
  '160 KB without a full stop': `<p>${'used car '.repeat(17_800)}</p>`,
  '45 KB of unclosed tags': '<p><b><i>used '.repeat(3200),
};
