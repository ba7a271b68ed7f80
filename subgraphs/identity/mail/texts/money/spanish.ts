import type { MoneyTexts } from '../MailTexts.ts';

const settings = 'Puede desactivar los correos sobre pagos en sus ajustes.';

export const spanish: MoneyTexts = {
  paymentReceipt: {
    subject: 'Su pago por «{title}»: recibo {receiptNumber}',
    body: [
      '{purpose, select, deposit {Su señal de {amount} por «{title}» en {installation} se ha pagado. El anuncio está reservado para usted.} promotion {La promoción de «{title}» en {installation} está pagada: {amount}.} other {Su pago de {amount} por «{title}» en {installation} se ha realizado.}}',
      'El número del recibo es {receiptNumber}.',
    ],
    note: [settings],
  },
  paymentReceived: {
    subject: 'Ha llegado un pago por «{title}»',
    body: [
      '{purpose, select, deposit {Se ha pagado una señal de {amount} por «{title}» en {installation}. El anuncio está reservado para quien compra.} other {Se han pagado {amount} por «{title}» en {installation}.}}',
    ],
    note: [settings],
  },
  paymentAuthorized: {
    subject: 'Un pago por «{title}» le espera',
    body: [
      'Hay {amount} retenidos por «{title}» en {installation}. Cóbrelos hasta el {untilAt, date, long} o libérelos: después, la retención termina.',
    ],
    note: [settings],
  },
  paymentExpires: {
    subject: 'El pago por «{title}» caduca pronto',
    body: [
      'Los {amount} retenidos por «{title}» en {installation} se pueden cobrar hasta el {untilAt, date, long}. Si no se hace, el pago termina, y con él la reserva.',
    ],
    note: [settings],
  },
  paymentFailed: {
    subject: 'Su pago por «{title}» no se ha realizado',
    body: [
      'Su banco no ha ejecutado el pago de {amount} por «{title}» en {installation}. No se ha cobrado nada. Puede pagar de nuevo, también por otro medio.',
    ],
    note: [settings],
  },
  paymentReleased: {
    subject: 'No se ha cobrado nada por «{title}»',
    body: [
      '{taken, select, true {Otra persona ha sido más rápida con «{title}» en {installation}. Los {amount} que quería pagar no se han cobrado.} other {Su pago de {amount} por «{title}» en {installation} terminó antes de cobrarse nada.}}',
      'Si su banco muestra el importe como retenido, lo libera en unos días.',
    ],
    note: [settings],
  },
  refundSent: {
    subject: 'Devolución por «{title}»',
    body: [
      'De su pago por «{title}» en {installation} se le devuelven {amount}, por el medio con el que pagó. Los bancos tardan unos días.',
    ],
    note: [settings],
  },
  disputeOpened: {
    subject: 'Se ha reclamado el pago por «{title}»',
    body: [
      'Quien compró ha reclamado el pago por «{title}» en {installation}. De su saldo se retienen {amount} hasta que se decida.',
      'Diga hasta el {respondByAt, date, long} cómo lo ve usted y añada lo que lo pruebe. Después se decide con lo que haya.',
    ],
    note: [settings],
  },
  disputeDecided: {
    subject: 'Se ha decidido la reclamación sobre «{title}»',
    body: [
      '{outcome, select, won {La reclamación de {amount} por «{title}» en {installation} se ha decidido a favor del vendedor: no se devuelve nada.} lost {La reclamación de {amount} por «{title}» en {installation} se ha decidido a favor de quien compró: el importe se devuelve.} split {La reclamación de {amount} por «{title}» en {installation} se ha repartido: se devuelve una parte del importe.} other {La reclamación de {amount} por «{title}» en {installation} se ha retirado.}}',
      'Inicie sesión para leer los motivos.',
    ],
    note: [settings],
  },
  payoutSent: {
    subject: '{amount} van de camino a {tradeName}',
    body: [
      'El saldo de {tradeName} en {installation} se está pagando: {amount} van de camino a la cuenta bancaria. Tarda unos días.',
    ],
    note: [settings],
  },
  payoutFailed: {
    subject: 'Un pago a {tradeName} ha fallado',
    body: [
      'El banco no ha aceptado el pago de {amount} a {tradeName} en {installation}. El dinero se guarda para usted. Revise sus datos bancarios en el proveedor de pagos; con otros se intenta de nuevo, y a los siete días el importe vuelve a su saldo.',
    ],
    note: [settings],
  },
};
