import type { GoldenCase } from './GoldenCase.ts';

/** Articles of the unseen pages. */
export const unseenArticles: readonly GoldenCase[] = [
  {
    name: 'en: a comparison with a question',
    site: 'Motor Advice',
    page: {
      locale: 'en-GB',
      title: 'Petrol, diesel or hybrid: which one suits your mileage?',
      content:
        '<p>The right engine depends on how far you drive. As a rule, a diesel car pays off from about 12,000 miles a year, while a hybrid car saves most in town.</p><h2>Short trips</h2><p>A diesel car needs regular motorway journeys to clean its particulate filter. If you mostly drive to school and to the shops, choose petrol or a hybrid.</p><h2>Long distances</h2><p>On the motorway, a diesel car uses about a fifth less fuel than a petrol car. The difference in price is usually recovered after three years.</p><h2>What about tax?</h2><p>Hybrid cars were exempt from road tax for years. Since 2025 they pay the same rate as petrol cars.</p>',
      images: [{ src: 'https://images.test/pump.jpg', alt: 'Fuel pump' }],
    },
    editor: {
      keyphrases: [
        'petrol, diesel or hybrid',
        'petrol diesel or hybrid',
        'diesel car',
        'hybrid car',
        'hybrid cars',
        'diesel cars',
        'petrol or diesel',
      ],
      title: 'Petrol, diesel or hybrid: which one suits your mileage?',
      titleNames: ['etrol', 'iesel', 'ybrid'],
      description:
        'A diesel car pays off from about 12,000 miles a year, while a hybrid saves most in town. We compare petrol, diesel and hybrid by how you drive.',
      descriptionNames: ['diesel'],
      slug: 'petrol-diesel-or-hybrid-mileage',
      slugWords: ['petrol', 'diesel', 'hybrid'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Petrol, diesel or hybrid: which one suits your mileage?',
    },
  },
  {
    name: 'de: a guide with a number in the title',
    site: 'Stromfuchs',
    page: {
      locale: 'de',
      title: '7 Fehler beim Kauf einer Wallbox',
      content:
        '<p>Eine Wallbox lädt das Elektroauto zu Hause schneller und sicherer als eine Steckdose. Trotzdem ärgern sich viele Käufer nach einigen Monaten, weil sie am falschen Ende gespart haben.</p><h2>1. Zu viel Leistung</h2><p>Die meisten Autos laden mit 11 kW. Eine Wallbox mit 22 kW muss der Netzbetreiber genehmigen, und sie bringt im Alltag selten einen Vorteil.</p><h2>2. Kein Angebot vom Elektriker</h2><p>Die Installation kostet oft mehr als das Gerät. Lassen Sie sich vor dem Kauf der Wallbox ein Angebot erstellen, in dem auch der Weg des Kabels steht.</p><h2>3. Kein Lastmanagement</h2><p>Wer später ein zweites Elektroauto laden will, braucht eine Wallbox mit Lastmanagement. Nachrüsten lässt es sich nur bei wenigen Geräten.</p>',
      images: [{ src: 'https://images.test/wallbox.jpg', alt: 'Wallbox in einer Garage' }],
    },
    editor: {
      keyphrases: ['Wallbox', 'Wallbox kaufen', 'Kauf einer Wallbox', 'Wallbox Kauf'],
      title: '7 Fehler beim Kauf einer Wallbox | Stromfuchs',
      titleNames: ['Wallbox', 'Fehler'],
      description:
        'Eine Wallbox lädt das Elektroauto schneller und sicherer als eine Steckdose. Diese Fehler bei Leistung, Installation und Lastmanagement sind teuer.',
      descriptionNames: ['wallbox'],
      slug: 'fehler-beim-kauf-einer-wallbox',
      slugWords: ['fehler', 'wallbox'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: '7 Fehler beim Kauf einer Wallbox',
    },
  },
  {
    name: 'fr: a recipe with ingredients',
    site: 'La Table de Julie',
    page: {
      locale: 'fr',
      title: 'Ratatouille niçoise : la vraie recette de ma grand-mère',
      content:
        '<p>La ratatouille niçoise demande du temps, de bons légumes et un peu de patience. Dans la vraie recette, chaque légume est cuit séparément avant d’être réuni aux autres.</p><h2>Ingrédients pour six personnes</h2><ul><li>4 tomates</li><li>2 aubergines</li><li>3 courgettes</li><li>2 poivrons</li><li>1 oignon</li></ul><h2>Préparation</h2><p>Coupez les légumes en dés de la même taille. Faites revenir les aubergines dans l’huile d’olive pendant dix minutes, puis les courgettes et les poivrons.</p><p>Ajoutez les tomates, l’ail et le thym. Laissez mijoter la ratatouille à feu doux pendant quarante minutes, sans couvercle.</p><h2>Conservation</h2><p>La ratatouille se garde trois jours au réfrigérateur et elle est encore meilleure réchauffée.</p>',
      images: [{ src: 'https://images.test/ratatouille.jpg', alt: 'Ratatouille' }],
    },
    editor: {
      keyphrases: ['ratatouille niçoise', 'ratatouille', 'recette de ratatouille', 'recette ratatouille'],
      title: 'Ratatouille niçoise : la vraie recette de ma grand-mère',
      titleNames: ['atatouille niçoise'],
      description:
        'Dans la vraie recette de la ratatouille niçoise, chaque légume est cuit séparément. Ingrédients pour six personnes, préparation et conservation.',
      descriptionNames: ['ratatouille'],
      slug: 'ratatouille-nicoise-vraie-recette',
      slugWords: ['ratatouille'],
      schemaType: 'Article|BlogPosting|NewsArticle|Recipe',
      schemaName: 'Ratatouille niçoise : la vraie recette de ma grand-mère',
    },
  },
  {
    name: 'es: an administrative guide',
    site: 'Gestoría Campos',
    page: {
      locale: 'es',
      title: 'Cómo cambiar el titular de un coche: documentos, plazos y precio',
      content:
        '<p>Para cambiar el titular de un coche necesitas el contrato de compraventa, el permiso de circulación y el justificante del impuesto. El trámite se hace en la DGT, con cita previa o por internet.</p><h2>Documentos necesarios</h2><p>El comprador y el vendedor firman el contrato de compraventa. También se pide una copia del DNI de ambos y la ficha técnica con la ITV en vigor.</p><h2>Plazos</h2><p>El vendedor tiene diez días para notificar la venta. El cambio de titular debe solicitarse en un plazo de treinta días.</p><h2>Precio</h2><p>La tasa de la DGT cuesta 55,70 €. A esta cantidad se añade el impuesto de transmisiones, que depende de la comunidad autónoma y de la edad del coche.</p>',
      images: [],
    },
    editor: {
      keyphrases: [
        'cambiar el titular de un coche',
        'cambio de titular',
        'titular de un coche',
        'cambio de titular de un coche',
        'contrato de compraventa',
      ],
      title: 'Cómo cambiar el titular de un coche: documentos y precio',
      titleNames: ['titular de un coche'],
      description:
        'Para cambiar el titular de un coche necesitas el contrato de compraventa, el permiso de circulación y el justificante del impuesto. Plazos y precio.',
      descriptionNames: ['titular'],
      slug: 'cambiar-titular-coche-documentos-plazos-precio',
      slugWords: ['titular', 'coche'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Cómo cambiar el titular de un coche: documentos, plazos y precio',
    },
  },
  {
    name: 'en: a travel report with a figurative title',
    site: 'Slow Miles',
    page: {
      locale: 'en-US',
      title: 'Where the road ends: a week on the North Coast 500',
      content:
        '<p>We drove the North Coast 500 in seven days and slept in a small camper van. The route runs for 516 miles around the north of Scotland, mostly on single-track roads.</p><h2>Day 1 and 2: Inverness to Applecross</h2><p>The pass to Applecross climbs to 626 meters. It is not suitable for large vehicles, so we left early and met only three cars.</p><h2>Day 3 to 5: beaches</h2><p>At Achmelvich the sand is white and the water is cold. Book a campsite on the North Coast 500 before you leave, because wild parking is not welcome.</p><h2>Costs</h2><p>The camper van cost 95 pounds a day. We spent another 40 pounds on fuel and food.</p>',
      images: [
        { src: 'https://images.test/pass.jpg', alt: 'Pass' },
        { src: 'https://images.test/beach.jpg', alt: 'Beach' },
      ],
    },
    editor: {
      keyphrases: ['North Coast 500', 'the North Coast 500', 'North Coast 500 by camper van', 'camper van'],
      title: 'North Coast 500: a week by camper van | Slow Miles',
      titleNames: ['North Coast 500'],
      description:
        'We drove the North Coast 500 in seven days by camper van. Where the road ends: route, campsites and costs of 516 miles around the north of Scotland.',
      descriptionNames: ['north coast 500'],
      slug: 'road-ends-week-north-coast-500',
      slugWords: ['north', 'coast', '500'],
      schemaType: 'Article|BlogPosting|NewsArticle',
      schemaName: 'Where the road ends: a week on the North Coast 500',
    },
  },
];
