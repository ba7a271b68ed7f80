import type { GoldenCase } from './GoldenCase.ts';

const picture = [{ src: 'https://images.test/product.jpg', alt: 'Product' }];

/** Products of a shop. Their attributes are as the shop shows them. */
export const products: readonly GoldenCase[] = [
  {
    name: 'en: a sports watch',
    site: 'Run Shop',
    page: {
      locale: 'en',
      title: 'Garmin Forerunner 265 GPS running watch',
      content:
        '<p>The Garmin Forerunner 265 is a GPS running watch with a bright AMOLED display. It plans your training and shows how well you have slept.</p><ul><li>Battery life of 13 days</li><li>Weight of 47 g</li></ul><p>The running watch measures heart rate at the wrist. The battery lasts for up to 20 hours with GPS switched on.</p>',
      images: picture,
      product: {
        sku: 'GF265',
        gtin: '0753759319373',
        brand: 'Garmin',
        price: 449,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { color: 'black' },
      },
    },
    editor: {
      keyphrases: ['Garmin Forerunner 265', 'GPS running watch', 'running watch', 'Garmin Forerunner'],
      title: 'Garmin Forerunner 265 GPS running watch | Run Shop',
      titleNames: ['Garmin Forerunner 265'],
      description:
        'The Garmin Forerunner 265 is a GPS running watch with a bright AMOLED display. It plans your training and lasts for up to 13 days.',
      descriptionNames: ['garmin forerunner 265'],
      slug: 'garmin-forerunner-265-gps-running-watch',
      slugWords: ['garmin', 'forerunner', '265'],
      schemaType: 'Product',
      schemaName: 'Garmin Forerunner 265 GPS running watch',
    },
  },
  {
    name: 'en: a set of tyres',
    site: 'Tyre Guide',
    page: {
      locale: 'en-GB',
      title: 'Michelin CrossClimate 2 205/55 R16 91V all-season tyre',
      content:
        '<p>The Michelin CrossClimate 2 brakes safely on dry roads, in rain and on light snow. You no longer change your tyres twice a year.</p><p>This all-season tyre in the size 205/55 R16 fits most compact cars. It carries the snowflake symbol and may be used in winter. The price includes delivery, not fitting.</p>',
      images: picture,
      product: {
        sku: 'MCC2-2055516',
        brand: 'Michelin',
        price: 104.9,
        currency: 'GBP',
        availability: 'InStock',
        attributes: {},
      },
    },
    editor: {
      keyphrases: [
        'Michelin CrossClimate 2',
        'Michelin CrossClimate',
        'all-season tyre',
        'Michelin CrossClimate 2 205/55 R16',
      ],
      title: 'Michelin CrossClimate 2 205/55 R16 91V all-season tyre',
      titleNames: ['Michelin CrossClimate 2', '205/55 R16|all-season'],
      description:
        'The Michelin CrossClimate 2 brakes safely on dry roads, in rain and on light snow. All-season tyre in 205/55 R16, delivery included.',
      descriptionNames: ['michelin crossclimate 2'],
      slug: 'michelin-crossclimate-2-205-55-r16-91v',
      slugWords: ['michelin', 'crossclimate'],
      schemaType: 'Product',
      schemaName: 'Michelin CrossClimate 2 205/55 R16 91V all-season tyre',
    },
  },
  {
    name: 'en: a jacket with a brand missing from the title',
    site: 'Outdoor Depot',
    page: {
      locale: 'en',
      title: "Women's waterproof hiking jacket",
      content:
        '<p>This waterproof hiking jacket keeps you dry in heavy rain and still breathes on steep climbs. The hood fits over a helmet.</p><p>The fabric is made of recycled polyester. All seams are taped. Two zips under the arms let warm air out. The hiking jacket weighs 390 g and packs into its own pocket.</p>',
      images: picture,
      product: {
        sku: 'WJ-77',
        brand: 'Fjordlight',
        price: 189,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { material: 'Recycled polyester' },
      },
    },
    editor: {
      keyphrases: [
        'waterproof hiking jacket',
        'hiking jacket',
        "women's waterproof hiking jacket",
        'Fjordlight waterproof hiking jacket',
      ],
      title: "Fjordlight women's waterproof hiking jacket",
      titleNames: ['waterproof hiking jacket'],
      description:
        'This waterproof hiking jacket keeps you dry in heavy rain and still breathes on steep climbs. It weighs 390 g and packs into its pocket.',
      descriptionNames: ['hiking jacket'],
      slug: 'womens-waterproof-hiking-jacket',
      slugWords: ['hiking', 'jacket'],
      schemaType: 'Product',
      schemaName: "Women's waterproof hiking jacket",
    },
  },
  {
    name: 'en: a spare part with a number',
    site: 'Parts Direct',
    page: {
      locale: 'en',
      title: 'Bosch brake disc 0 986 479 249, front axle, ventilated',
      content:
        '<p>The Bosch brake disc 0 986 479 249 fits the front axle of the Volkswagen Golf VII and the Skoda Octavia III. It is ventilated and has a diameter of 288 mm.</p><p>Brake discs are always replaced in pairs. The surface is coated, so the brake disc does not have to be cleaned before fitting. Screws are included.</p>',
      images: picture,
      product: {
        sku: '0986479249',
        brand: 'Bosch',
        price: 39.5,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { diameter: '288 mm' },
      },
    },
    editor: {
      keyphrases: ['Bosch brake disc', 'brake disc', 'Bosch brake disc 0 986 479 249', 'brake discs'],
      title: 'Bosch brake disc 0 986 479 249, front axle, ventilated',
      titleNames: ['Bosch brake disc', '0 986 479 249|front axle'],
      description:
        'The Bosch brake disc 0 986 479 249 fits the front axle of the Volkswagen Golf VII and the Skoda Octavia III. Ventilated, 288 mm, coated.',
      descriptionNames: ['brake disc'],
      slug: 'bosch-brake-disc-0986479249-front-axle',
      slugWords: ['bosch', 'brake', 'disc'],
      schemaType: 'Product',
      schemaName: 'Bosch brake disc 0 986 479 249, front axle, ventilated',
    },
  },
  {
    name: 'de: an espresso machine',
    site: 'Kaffeekontor',
    page: {
      locale: 'de',
      title: 'De’Longhi Dedica Espressomaschine mit Siebträger',
      content:
        '<p>Die De’Longhi Dedica ist eine schmale Espressomaschine für kleine Küchen. Sie ist in 40 Sekunden aufgeheizt und arbeitet mit 15 bar.</p><p>Der Siebträger nimmt gemahlenen Kaffee und Pads auf. Die Espressomaschine schäumt Milch mit einer Dampfdüse auf. Der Wassertank fasst 1,1 Liter und lässt sich nach hinten abnehmen.</p>',
      images: picture,
      product: {
        sku: 'EC685',
        brand: 'De’Longhi',
        price: 159,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { Farbe: 'Silber' },
      },
    },
    editor: {
      keyphrases: [
        'De’Longhi Dedica',
        'Espressomaschine',
        'Espressomaschine mit Siebträger',
        'De’Longhi Dedica Espressomaschine',
        'schmale Espressomaschine',
      ],
      title: 'De’Longhi Dedica Espressomaschine mit Siebträger',
      titleNames: ['De’Longhi Dedica', 'Espressomaschine'],
      description:
        'Die De’Longhi Dedica ist eine schmale Espressomaschine für kleine Küchen. Sie ist in 40 Sekunden aufgeheizt und arbeitet mit 15 bar.',
      descriptionNames: ['dedica', 'espressomaschine'],
      slug: 'delonghi-dedica-espressomaschine-siebtraeger',
      slugWords: ['dedica', 'espressomaschine'],
      schemaType: 'Product',
      schemaName: 'De’Longhi Dedica Espressomaschine mit Siebträger',
    },
  },
  {
    name: 'de: a child seat',
    site: 'Kindersicher',
    page: {
      locale: 'de',
      title: 'Britax Römer Dualfix 3 i-Size Kindersitz, drehbar, ab Geburt bis vier Jahre, mit Isofix',
      content:
        '<p>Der Kindersitz Britax Römer Dualfix 3 lässt sich um 360 Grad drehen. Das Einsteigen gelingt so ohne Rückenschmerzen.</p><p>Kinder fahren in diesem Kindersitz bis zum Alter von vier Jahren rückwärts. Er wird mit Isofix befestigt. Bezug und Neugeboreneneinsatz sind waschbar.</p>',
      images: picture,
      product: {
        sku: '2000036889',
        brand: 'Britax Römer',
        price: 429,
        currency: 'EUR',
        availability: 'PreOrder',
        attributes: {},
      },
    },
    editor: {
      keyphrases: [
        'Britax Römer Dualfix 3',
        'Kindersitz',
        'Britax Römer Dualfix',
        'Britax Römer',
        'Kindersitz Britax Römer Dualfix 3',
        'Britax Römer Dualfix 3 i-Size',
        'Britax Römer Dualfix 3 i-Size Kindersitz',
      ],
      title: 'Britax Römer Dualfix 3 i-Size Kindersitz, drehbar',
      titleNames: ['Britax Römer Dualfix 3', 'Kindersitz'],
      description:
        'Der Kindersitz Britax Römer Dualfix 3 lässt sich um 360 Grad drehen. Von Geburt bis vier Jahre, befestigt mit Isofix, Bezug waschbar.',
      descriptionNames: ['kindersitz', 'britax römer'],
      slug: 'britax-roemer-dualfix-3-i-size-kindersitz',
      slugWords: ['britax', 'roemer', 'dualfix'],
      schemaType: 'Product',
      schemaName: 'Britax Römer Dualfix 3 i-Size Kindersitz, drehbar, ab Geburt bis vier Jahre, mit Isofix',
    },
  },
  {
    name: 'de: a cordless drill',
    site: 'Werkzeughof',
    page: {
      locale: 'de',
      title: 'Akku-Bohrschrauber Makita DDF485 18 V ohne Akku',
      content:
        '<p>Der Akku-Bohrschrauber Makita DDF485 leistet 50 Nm und wiegt mit Akku 1,5 kg. Der bürstenlose Motor ist wartungsfrei.</p><p>Zwei Gänge stehen zur Wahl. Das Gehäuse ist gegen Staub und Spritzwasser geschützt. Geliefert wird der Akku-Bohrschrauber ohne Akku und ohne Ladegerät.</p>',
      images: picture,
      product: {
        sku: 'DDF485Z',
        brand: 'Makita',
        price: 94.95,
        currency: 'EUR',
        availability: 'InStock',
        attributes: {},
      },
    },
    editor: {
      keyphrases: [
        'Makita DDF485',
        'Akku-Bohrschrauber',
        'Akku-Bohrschrauber Makita DDF485',
        'Akku-Bohrschrauber Makita',
      ],
      title: 'Akku-Bohrschrauber Makita DDF485 18 V ohne Akku',
      titleNames: ['Makita DDF485', 'Akku-Bohrschrauber'],
      description:
        'Der Akku-Bohrschrauber Makita DDF485 leistet 50 Nm und wiegt mit Akku 1,5 kg. Der bürstenlose Motor ist wartungsfrei.',
      descriptionNames: ['makita ddf485'],
      slug: 'akku-bohrschrauber-makita-ddf485-18-v',
      slugWords: ['makita', 'ddf485'],
      schemaType: 'Product',
      schemaName: 'Akku-Bohrschrauber Makita DDF485 18 V ohne Akku',
    },
  },
  {
    name: 'de: a roof box that is sold out',
    site: 'Autohaus Weber',
    page: {
      locale: 'de',
      title: 'Dachbox Thule Motion XT L',
      content:
        '<p>Die Dachbox Thule Motion XT L bietet 450 Liter Stauraum und öffnet sich nach beiden Seiten. Ein Schloss meldet, ob der Deckel richtig geschlossen ist.</p><p>Die Dachbox passt auf alle Dachträger mit einer Breite bis 90 mm. Sie wird ohne Werkzeug montiert. Skier bis 175 cm finden darin Platz.</p>',
      images: picture,
      product: {
        sku: '629700',
        brand: 'Thule',
        price: 669,
        currency: 'EUR',
        availability: 'SoldOut',
        attributes: {},
      },
    },
    editor: {
      keyphrases: [
        'Dachbox Thule Motion XT L',
        'Thule Motion XT L',
        'Dachbox',
        'Thule Motion XT',
        'Dachbox Thule',
      ],
      title: 'Dachbox Thule Motion XT L | Autohaus Weber',
      titleNames: ['Thule Motion XT L', 'Dachbox'],
      description:
        'Die Dachbox Thule Motion XT L bietet 450 Liter Stauraum und öffnet sich nach beiden Seiten. Montage ohne Werkzeug.',
      descriptionNames: ['dachbox'],
      slug: 'dachbox-thule-motion-xt-l',
      slugWords: ['dachbox', 'thule', 'motion'],
      schemaType: 'Product',
      schemaName: 'Dachbox Thule Motion XT L',
    },
  },
  {
    name: 'fr: a blender',
    site: 'Cuisine & Co',
    page: {
      locale: 'fr',
      title: 'Blender chauffant Moulinex Soup & Plus',
      content:
        '<p>Le blender chauffant Moulinex Soup & Plus prépare une soupe en vingt minutes. Il mixe, chauffe et maintient au chaud.</p><p>Le bol en verre contient deux litres. Dix programmes sont proposés, dont un pour les compotes. Le blender chauffant se nettoie seul avec un peu d’eau.</p>',
      images: picture,
      product: {
        sku: 'LM924500',
        brand: 'Moulinex',
        price: 129.99,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { Capacité: '2 l' },
      },
    },
    editor: {
      keyphrases: [
        'blender chauffant Moulinex',
        'blender chauffant',
        'Moulinex Soup & Plus',
        'blender chauffant Moulinex Soup & Plus',
      ],
      title: 'Blender chauffant Moulinex Soup & Plus',
      titleNames: ['lender chauffant', 'Moulinex'],
      description:
        'Le blender chauffant Moulinex Soup & Plus prépare une soupe en vingt minutes. Il mixe, chauffe et maintient au chaud.',
      descriptionNames: ['blender chauffant'],
      slug: 'blender-chauffant-moulinex-soup-plus',
      slugWords: ['blender', 'chauffant', 'moulinex'],
      schemaType: 'Product',
      schemaName: 'Blender chauffant Moulinex Soup & Plus',
    },
  },
  {
    name: 'fr: a child bicycle',
    site: 'Cycles Martin',
    page: {
      locale: 'fr',
      title: 'Vélo enfant 20 pouces en aluminium',
      content:
        '<p>Ce vélo enfant 20 pouces convient aux enfants de six à neuf ans. Le cadre en aluminium pèse seulement 8,9 kg.</p><p>Les freins sont adaptés aux petites mains. Sept vitesses aident dans les côtes. Le vélo enfant est livré monté, avec une béquille et une sonnette.</p>',
      images: picture,
      product: {
        sku: 'VE20',
        brand: 'Ptirou',
        price: 279,
        currency: 'EUR',
        availability: 'InStock',
        attributes: {},
      },
    },
    editor: {
      keyphrases: ['vélo enfant 20 pouces', 'vélo enfant', 'Ptirou vélo enfant 20 pouces'],
      title: 'Vélo enfant 20 pouces en aluminium, de 6 à 9 ans',
      titleNames: ['élo enfant', '20 pouces'],
      description:
        'Ce vélo enfant 20 pouces convient aux enfants de six à neuf ans. Le cadre en aluminium pèse seulement 8,9 kg.',
      descriptionNames: ['vélo enfant'],
      slug: 'velo-enfant-20-pouces-aluminium',
      slugWords: ['velo', 'enfant'],
      schemaType: 'Product',
      schemaName: 'Vélo enfant 20 pouces en aluminium',
    },
  },
  {
    name: 'fr: wine',
    site: 'Cave Saint-Martin',
    page: {
      locale: 'fr',
      title: 'Château des Tilleuls 2018, Saint-Émilion Grand Cru',
      content:
        "<p>Le Château des Tilleuls 2018 est un Saint-Émilion Grand Cru au nez de cerise noire et d'épices douces. Les tanins sont ronds et la finale est longue.</p><p>Servez ce vin rouge à 17 degrés, après une heure en carafe. Il accompagne un gigot ou un fromage affiné. Il se garde jusqu'en 2032.</p>",
      images: picture,
      product: {
        sku: 'CT18',
        brand: 'Château des Tilleuls',
        price: 32,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { Millésime: 2018 },
      },
    },
    editor: {
      keyphrases: [
        'Château des Tilleuls 2018',
        'Château des Tilleuls',
        'Saint-Émilion Grand Cru',
        'vin rouge',
      ],
      title: 'Château des Tilleuls 2018, Saint-Émilion Grand Cru',
      titleNames: ['Château des Tilleuls', '2018|Saint-Émilion'],
      description:
        "Le Château des Tilleuls 2018 est un Saint-Émilion Grand Cru au nez de cerise noire et d'épices douces. Il se garde jusqu'en 2032.",
      descriptionNames: ['château des tilleuls'],
      slug: 'chateau-tilleuls-2018-saint-emilion-grand-cru',
      slugWords: ['chateau', 'tilleuls'],
      schemaType: 'Product',
      schemaName: 'Château des Tilleuls 2018, Saint-Émilion Grand Cru',
    },
  },
  {
    name: 'fr: a battery for cars',
    site: 'Pièces Auto 24',
    page: {
      locale: 'fr',
      title:
        'Batterie Varta Blue Dynamic E11 12 V 74 Ah pour voiture avec de nombreux équipements électriques',
      content:
        '<p>La batterie Varta Blue Dynamic E11 fournit 74 Ah et démarre aussi par grand froid. Elle ne demande aucun entretien.</p><p>Mesurez votre ancienne batterie avant de commander : 278 mm de long, 175 mm de large et 190 mm de haut. La borne positive se trouve à droite. La consigne est comprise dans le prix.</p>',
      images: picture,
      product: {
        sku: '5740120683132',
        brand: 'Varta',
        price: 99.9,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { Tension: '12 V' },
      },
    },
    editor: {
      keyphrases: [
        'batterie Varta Blue Dynamic E11',
        'Varta Blue Dynamic E11',
        'batterie Varta',
        'Varta Blue Dynamic',
        'batterie Varta Blue Dynamic',
      ],
      title: 'Batterie Varta Blue Dynamic E11 12 V 74 Ah',
      titleNames: ['atterie Varta Blue Dynamic E11'],
      description:
        'La batterie Varta Blue Dynamic E11 fournit 74 Ah et démarre aussi par grand froid. Elle ne demande aucun entretien.',
      descriptionNames: ['varta blue dynamic'],
      slug: 'batterie-varta-blue-dynamic-e11-74-ah',
      slugWords: ['batterie', 'varta'],
      schemaType: 'Product',
      schemaName:
        'Batterie Varta Blue Dynamic E11 12 V 74 Ah pour voiture avec de nombreux équipements électriques',
    },
  },
  {
    name: 'es: headphones',
    site: 'Sonido Claro',
    page: {
      locale: 'es',
      title: 'Auriculares inalámbricos Sony WH-1000XM5 con cancelación de ruido',
      content:
        '<p>Los auriculares inalámbricos Sony WH-1000XM5 eliminan el ruido del avión y de la oficina. La batería dura hasta 30 horas.</p><p>Ocho micrófonos recogen la voz con claridad. Con tres minutos de carga, los auriculares funcionan tres horas. Incluyen estuche y cable.</p>',
      images: picture,
      product: {
        sku: 'WH1000XM5B',
        brand: 'Sony',
        price: 329,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { Color: 'Negro' },
      },
    },
    editor: {
      keyphrases: [
        'Sony WH-1000XM5',
        'auriculares inalámbricos Sony WH-1000XM5',
        'auriculares inalámbricos',
        'auriculares inalámbricos Sony',
        'auriculares con cancelación de ruido',
      ],
      title: 'Auriculares inalámbricos Sony WH-1000XM5',
      titleNames: ['Sony WH-1000XM5', 'uriculares'],
      description:
        'Los auriculares inalámbricos Sony WH-1000XM5 eliminan el ruido del avión y de la oficina. La batería dura hasta 30 horas.',
      descriptionNames: ['auriculares', 'sony wh-1000xm5'],
      slug: 'auriculares-inalambricos-sony-wh-1000xm5',
      slugWords: ['auriculares', 'sony'],
      schemaType: 'Product',
      schemaName: 'Auriculares inalámbricos Sony WH-1000XM5 con cancelación de ruido',
    },
  },
  {
    name: 'es: running shoes',
    site: 'Correr Más',
    page: {
      locale: 'es',
      title: 'Zapatillas de running Asics Gel-Nimbus 26 para hombre',
      content:
        '<p>Las zapatillas de running Asics Gel-Nimbus 26 amortiguan cada paso en distancias largas. La suela agarra bien en asfalto mojado.</p><p>El tejido se ajusta al pie y deja pasar el aire. Las zapatillas pesan 305 g. Se recomiendan para corredores de pisada neutra.</p>',
      images: picture,
      product: {
        sku: '1011B794',
        brand: 'Asics',
        price: 159.95,
        currency: 'EUR',
        availability: 'InStock',
        attributes: {},
      },
    },
    editor: {
      keyphrases: [
        'zapatillas de running Asics Gel-Nimbus 26',
        'zapatillas de running',
        'Asics Gel-Nimbus 26',
        'Asics Gel-Nimbus',
        'zapatillas de running Asics',
      ],
      title: 'Zapatillas de running Asics Gel-Nimbus 26 para hombre',
      titleNames: ['Asics Gel-Nimbus 26', 'apatillas'],
      description:
        'Las zapatillas de running Asics Gel-Nimbus 26 amortiguan cada paso en distancias largas. La suela agarra bien en asfalto mojado.',
      descriptionNames: ['zapatillas de running'],
      slug: 'zapatillas-running-asics-gel-nimbus-26-hombre',
      slugWords: ['zapatillas', 'asics'],
      schemaType: 'Product',
      schemaName: 'Zapatillas de running Asics Gel-Nimbus 26 para hombre',
    },
  },
  {
    name: 'es: a used phone',
    site: 'Móvil Segunda Vida',
    page: {
      locale: 'es',
      title: 'iPhone 13 reacondicionado de 128 GB',
      content:
        '<p>El iPhone 13 reacondicionado ha pasado 40 pruebas y tiene dos años de garantía. La batería conserva al menos el 85 % de su capacidad.</p><p>La pantalla no tiene arañazos. El iPhone 13 se entrega libre, con cable y caja nueva. Puede devolverlo en 30 días.</p>',
      images: picture,
      product: {
        sku: 'IP13-128-R',
        brand: 'Apple',
        price: 389,
        currency: 'EUR',
        availability: 'InStock',
        attributes: { Almacenamiento: '128 GB' },
      },
    },
    editor: {
      keyphrases: [
        'iPhone 13 reacondicionado',
        'iPhone 13',
        'Apple iPhone 13',
        'Apple iPhone 13 reacondicionado',
      ],
      title: 'iPhone 13 reacondicionado de 128 GB con garantía',
      titleNames: ['iPhone 13', 'reacondicionado|128 GB'],
      description:
        'El iPhone 13 reacondicionado ha pasado 40 pruebas y tiene dos años de garantía. La batería conserva al menos el 85 % de su capacidad.',
      descriptionNames: ['iphone 13'],
      slug: 'iphone-13-reacondicionado-128-gb',
      slugWords: ['iphone', '13'],
      schemaType: 'Product',
      schemaName: 'iPhone 13 reacondicionado de 128 GB',
    },
  },
];
