import type { GoldenCase } from './GoldenCase.ts';

const picture = [{ src: 'https://images.test/item.jpg', alt: 'Item' }];

/** Products of the unseen pages. */
export const unseenProducts: readonly GoldenCase[] = [
  {
    name: 'en: a pan with its size',
    site: 'Copper & Oak',
    page: {
      locale: 'en-US',
      title: 'Lodge Cast Iron Skillet, 10.25 inch, pre-seasoned',
      content:
        '<p>The Lodge cast iron skillet sears, bakes and fries on every kind of stove, in the oven and over a campfire. It is pre-seasoned with vegetable oil, so you can cook with it on the first day.</p><ul><li>Diameter: 10.25 inches</li><li>Weight: 5 pounds</li><li>Made in the USA</li></ul><p>Clean the cast iron skillet with hot water and a brush, dry it and rub it with a little oil. It is not dishwasher safe. Free shipping on orders over $35!</p>',
      images: picture,
      product: {
        sku: 'L8SK3',
        gtin: '0075536300030',
        brand: 'Lodge',
        price: 24.9,
        currency: 'USD',
        availability: 'InStock',
        attributes: { material: 'cast iron' },
      },
    },
    editor: {
      keyphrases: ['cast iron skillet', 'Lodge cast iron skillet', 'iron skillet'],
      title: 'Lodge Cast Iron Skillet, 10.25 inch, pre-seasoned',
      titleNames: ['Lodge', 'ast'],
      description:
        'The Lodge cast iron skillet sears, bakes and fries on every stove, in the oven and over a campfire. Pre-seasoned, 10.25 inches, made in the USA.',
      descriptionNames: ['cast iron skillet'],
      slug: 'lodge-cast-iron-skillet-10-25-inch',
      slugWords: ['lodge', 'cast', 'iron', 'skillet'],
      schemaType: 'Product',
      schemaName: 'Lodge Cast Iron Skillet, 10.25 inch, pre-seasoned',
    },
  },
  {
    name: 'de: a rucksack with a colour variant',
    site: 'Gipfelladen',
    page: {
      locale: 'de',
      title: 'Deuter Futura 26 Wanderrucksack marine-petrol',
      content:
        '<p>Der Deuter Futura 26 ist ein Wanderrucksack für Tagestouren und Hüttenübernachtungen. Das Netz am Rücken sorgt für Luft, und die Hüftflossen lassen sich abnehmen.</p><p>Der Wanderrucksack hat ein Volumen von 26 Litern und wiegt 1.280 g. Die Regenhülle ist im Bodenfach verstaut. Eine Trinkblase passt in das Innenfach, sie gehört nicht zum Lieferumfang.</p><h3>Größe</h3><p>Der Rucksack passt zu Rückenlängen zwischen 42 und 55 cm. Unser Team berät Sie gern telefonisch.</p>',
      images: picture,
      product: {
        sku: 'DEU-3400121',
        brand: 'Deuter',
        price: 139.95,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { color: 'marine-petrol' },
      },
    },
    editor: {
      keyphrases: [
        'Deuter Futura 26',
        'Deuter Futura',
        'Wanderrucksack',
        'Deuter Futura 26 Wanderrucksack',
        'Deuter Wanderrucksack',
      ],
      title: 'Deuter Futura 26 Wanderrucksack marine-petrol | Gipfelladen',
      titleNames: ['Deuter Futura 26'],
      description:
        'Der Deuter Futura 26 ist ein Wanderrucksack für Tagestouren und Hüttenübernachtungen: 26 Liter, Netzrücken, Regenhülle, 1.280 g leicht.',
      descriptionNames: ['deuter futura 26'],
      slug: 'deuter-futura-26-wanderrucksack-marine-petrol',
      slugWords: ['deuter', 'futura', '26'],
      schemaType: 'Product',
      schemaName: 'Deuter Futura 26 Wanderrucksack marine-petrol',
    },
  },
  {
    name: 'fr: a product with an elided brand and a long title',
    site: 'Maison Arôme',
    page: {
      locale: 'fr',
      title:
        "Machine à expresso De'Longhi Dedica EC685 compacte avec buse vapeur pour cappuccino, 15 bars, rouge",
      content:
        "<p>La De'Longhi Dedica EC685 est une machine à expresso de seulement 15 cm de large. Elle trouve sa place dans les petites cuisines et chauffe en 35 secondes.</p><p>La buse vapeur prépare une mousse de lait onctueuse. Le réservoir d'un litre est amovible. Cette machine à expresso accepte le café moulu et les dosettes ESE.</p><h2>Garantie et livraison</h2><p>La machine est garantie deux ans. La livraison est offerte dès 49 € d'achat.</p>",
      images: picture,
      product: {
        sku: 'EC685R',
        gtin: '8004399331181',
        brand: "De'Longhi",
        price: 179.99,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { color: 'rouge' },
      },
    },
    editor: {
      keyphrases: [
        'machine à expresso',
        "De'Longhi Dedica EC685",
        "De'Longhi Dedica",
        "machine à expresso De'Longhi",
        "machine à expresso De'Longhi Dedica EC685",
      ],
      title: "Machine à expresso De'Longhi Dedica EC685 compacte, rouge",
      titleNames: ["De'Longhi Dedica"],
      description:
        "La De'Longhi Dedica EC685 est une machine à expresso compacte de 15 cm de large. Elle chauffe en 35 secondes et sa buse vapeur prépare le cappuccino.",
      descriptionNames: ['dedica'],
      slug: 'machine-a-expresso-delonghi-dedica-ec685',
      slugWords: ['machine', 'expresso'],
      schemaType: 'Product',
      schemaName:
        "Machine à expresso De'Longhi Dedica EC685 compacte avec buse vapeur pour cappuccino, 15 bars, rouge",
    },
  },
  {
    name: 'es: a chair without a brand',
    site: 'Oficina Viva',
    page: {
      locale: 'es',
      title: 'Silla de oficina ergonómica con reposacabezas',
      content:
        '<p>Esta silla de oficina ergonómica se adapta a tu espalda durante toda la jornada. El respaldo de malla transpira y el soporte lumbar se regula en altura.</p><ul><li>Reposabrazos ajustables</li><li>Peso máximo: 130 kg</li><li>Ruedas para parqué</li></ul><p>La silla de oficina se monta en veinte minutos con las herramientas incluidas. Si no te convence, la recogemos gratis durante los primeros 30 días.</p>',
      images: picture,
      product: {
        sku: 'SO-220',
        price: 189,
        currency: 'EUR',
        availability: 'OutOfStock',
        attributes: { color: 'negro' },
      },
    },
    editor: {
      keyphrases: ['silla de oficina ergonómica', 'silla de oficina', 'silla ergonómica'],
      title: 'Silla de oficina ergonómica con reposacabezas | Oficina Viva',
      titleNames: ['illa de oficina ergonómica'],
      description:
        'Esta silla de oficina ergonómica se adapta a tu espalda durante toda la jornada. Respaldo de malla, soporte lumbar y reposabrazos ajustables.',
      descriptionNames: ['silla de oficina'],
      slug: 'silla-de-oficina-ergonomica-con-reposacabezas',
      slugWords: ['silla', 'oficina'],
      schemaType: 'Product',
      schemaName: 'Silla de oficina ergonómica con reposacabezas',
    },
  },
  {
    name: 'fr: a tent with a number for persons',
    site: 'Plein Air Breizh',
    page: {
      locale: 'fr',
      title: 'Tente Quechua Arpenaz 4.1 - 4 places - 1 chambre',
      content:
        '<p>Avec la tente Quechua Arpenaz 4.1, une famille de quatre personnes dort au sec et range ses affaires dans le séjour de 5 m². La hauteur de 1,90 m permet de se tenir debout.</p><p>La tente se monte en un quart d’heure à deux. Elle a été testée sous la pluie et résiste à un vent de 50 km/h. Le sac pèse 9,3 kg.</p><p>Un tapis de sol et des sardines sont fournis. Pensez à sécher la tente avant de la ranger.</p>',
      images: picture,
      product: {
        sku: '8492447',
        brand: 'Quechua',
        price: 119,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { places: 4 },
      },
    },
    editor: {
      keyphrases: [
        'Quechua Arpenaz 4.1',
        'tente Quechua Arpenaz 4.1',
        'tente Quechua',
        'tente 4 places',
        'Quechua Arpenaz',
        'tente Quechua Arpenaz',
      ],
      title: 'Tente Quechua Arpenaz 4.1, 4 places, 1 chambre',
      titleNames: ['Quechua Arpenaz 4.1'],
      description:
        'Avec la tente Quechua Arpenaz 4.1, une famille de quatre personnes dort au sec. Séjour de 5 m², hauteur de 1,90 m, montage en un quart d’heure.',
      descriptionNames: ['quechua arpenaz'],
      slug: 'tente-quechua-arpenaz-4-1-4-places-1-chambre',
      slugWords: ['quechua', 'arpenaz'],
      schemaType: 'Product',
      schemaName: 'Tente Quechua Arpenaz 4.1 - 4 places - 1 chambre',
    },
  },
];
