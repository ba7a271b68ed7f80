import { findVatIdFault, normalizeVatId } from './checkVatId.ts';

/** Numbers that authorities and companies publish, or give as examples. */
const real: [string, string[]][] = [
  ['AT', ['ATU13585627', 'ATU33864707']],
  ['BE', ['BE0428759497', 'BE0403019261']],
  ['BG', ['BG175074752', 'BG831650349', 'BG7523169263']],
  ['CH', ['CHE107787577IVA', 'CHE-107.787.577 IVA', 'CHE116281710MWST']],
  ['CY', ['CY10259033P', 'CY10132211L']],
  ['CZ', ['CZ25123891', 'CZ7103192745']],
  ['DE', ['DE136695976', 'DE 136 695 976', 'DE129273398']],
  ['DK', ['DK13585628', 'DK54562519']],
  ['EE', ['EE100931558', 'EE100594102']],
  ['GR', ['EL094259216', 'EL094014201']],
  ['ES', ['ESA13585625', 'ES54362315K', 'ESX2482300W', 'ESM1234567L', 'ESB58378431']],
  ['FI', ['FI20774740', 'FI01120389']],
  ['FR', ['FR40303265045', 'FR23334175221', 'FRK7399859412']],
  ['GB', ['GB980780684', 'GB 980 7806 84', 'GB434031494', 'GBGD001', 'GBHA500', 'XI980780684']],
  ['HR', ['HR33392005961']],
  ['HU', ['HU12892312', 'HU10597190']],
  ['IE', ['IE6433435F', 'IE6433435OA', 'IE8D79739I', 'IE6388047V']],
  ['IT', ['IT00743110157', 'IT00159560366']],
  ['LT', ['LT119511515', 'LT100001919017']],
  ['LU', ['LU10000356', 'LU15027442']],
  ['LV', ['LV40003009497', 'LV16117519997']],
  ['MT', ['MT11679112']],
  ['NL', ['NL004495445B01', 'NL002455799B11', 'NL123456789B13']],
  ['NO', ['NO995525828MVA']],
  ['PL', ['PL8567346215', 'PL5260001246']],
  ['PT', ['PT501964843', 'PT502757191']],
  ['RO', ['RO18547290']],
  ['SE', ['SE556188840401', 'SE556043606401']],
  ['SI', ['SI50223054']],
  ['SK', ['SK2022749619']],
];

test.each(real)('real VAT numbers of %s are accepted in their written forms', (country, numbers) => {
  for (const number of numbers)
    expect([number, findVatIdFault(normalizeVatId(number), country)]).toEqual([number, null]);
});

test.each(real)('a VAT number of %s with one wrong digit is refused', (country, [number = '']) => {
  const vatId = normalizeVatId(number);
  // The digits after this position identify branches and are not part of the checksum.
  const end = { NL: 11, SE: 12 }[country] ?? vatId.length;
  const digits = vatId
    .slice(0, end)
    .split('')
    .flatMap((sign, index) => (/\d/.test(sign) ? [index] : []));
  const wrong = digits.map((index) => {
    const digit = (Number(vatId[index]) + 1) % 10;
    return `${vatId.slice(0, index)}${digit}${vatId.slice(index + 1)}`;
  });
  for (const one of wrong) expect([one, typeof findVatIdFault(one, country)]).toEqual([one, 'string']);
});

test('a VAT number of another country or form, or an empty one, is refused', () => {
  for (const [number, country] of [
    ['FR40303265045', 'DE'],
    ['136695976', 'DE'],
    ['DE13669597', 'DE'],
    ['DE1366959766', 'DE'],
    ['GR094259216', 'GR'],
    ['ATX13585627', 'AT'],
    ['', 'DE'],
    ['DE', 'DE'],
    ['XI', 'GB'],
    ['DE136695976'.repeat(50), 'DE'],
  ] as const)
    expect([number, country, typeof findVatIdFault(number, country)]).toEqual([number, country, 'string']);
});

test('a VAT number of a country without a known form must have 4 to 20 letters and digits', () => {
  expect(findVatIdFault('US123456', 'US')).toBeNull();
  expect(findVatIdFault('1', 'US')).not.toBeNull();
  expect(findVatIdFault('<script>', 'US')).not.toBeNull();
  expect(findVatIdFault('A'.repeat(21), 'US')).not.toBeNull();
});
