import { text } from 'node:stream/consumers';
import { runCommands } from '../app/commands/runCommands.ts';
import { addOperator, removeOperator } from '../subgraphs/identity/people/operator/addOperator.ts';
import { OperatorModel, type OperatorRecord } from '../subgraphs/identity/people/operator/model.ts';

/** `npm run operators -- add|list|remove`: who runs the platform, above every installation. */
await runCommands(
  'operators',
  'Manages the operators of the platform, who have permissions in every installation.',
  {
    add: {
      usage: '<name> [--password-stdin]   a new operator; password and second factor are shown once',
      positionals: 1,
      options: { 'password-stdin': { type: 'boolean' } },
      async run({ print, secrets, configuration, settle, values, positionals: [name = ''] }) {
        await settle({ models: [OperatorModel] });
        const isGiven = values['password-stdin'] === true;
        const password = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
        const { hostname } = new URL(configuration.issuer);
        const added = await addOperator({ name, password }, { secrets, now: Date.now, issuer: hostname });
        print(`operator ${added.operator.name} (${added.operator._id})`);
        if (!isGiven) print(`password ${added.password}`);
        print(`second factor ${added.otpauthUri}`);
        print(
          'Neither is shown again. Add the second factor to an authenticator application, then sign in at',
        );
        print(
          'POST /api/v1/auth/token of an installation with grant_type=password, username, password and otp.',
        );
      },
    },
    list: {
      usage: '                          all operators, including removed ones',
      async run({ print }) {
        const operators = await OperatorModel.find({}).sort({ createdAt: 1 }).lean<OperatorRecord[]>().exec();
        if (operators.length === 0) print('no operators: npm run operators -- add <name>');
        for (const { _id, name, state, createdAt, removedAt } of operators) {
          const end = removedAt ? `, removed ${removedAt.toISOString()}` : '';
          print(`${_id}  ${name.padEnd(32)}  ${state.padEnd(7)}  added ${createdAt.toISOString()}${end}`);
        }
      },
    },
    remove: {
      usage: '<name>                     removes an operator and invalidates all of the operator’s tokens',
      positionals: 1,
      async run({ print, positionals: [name = ''] }) {
        const { _id } = await removeOperator(name, Date.now);
        print(`operator ${name} (${_id}) is removed. The operator’s tokens are refused everywhere`);
      },
    },
  },
);
