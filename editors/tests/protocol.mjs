// The protocol's published definition as a JSON schema, and messages held against it.

import Ajv from "ajv";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createGenerator } from "ts-json-schema-generator";

const require = createRequire(import.meta.url);
const published = join(dirname(require.resolve("@vscode/debugprotocol/package.json")), "lib");

const schema = createGenerator({
    path: join(published, "debugProtocol.d.ts"),
    type: "*",
    skipTypeCheck: true,
    additionalProperties: true,
    expose: "all",
}).createSchema("*");

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(schema, "protocol");

/** The name of a type as its reference has it. */
const known = (name) => Object.keys(schema.definitions).find((key) => key === name || key.endsWith(`.${name}`));

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The type that a message has to be of. */
function typeOf(message) {
    if (message.type === "event") return `${capital(message.event)}Event`;
    if (message.type === "request") return `${capital(message.command)}Request`;
    if (!message.success) return "ErrorResponse";
    // Requests beside the protocol are answered like others.
    return message.command.includes("/") ? "Response" : `${capital(message.command)}Response`;
}

/** What is wrong with a message that the adapter sent; nothing, if nothing is. */
export function problems(message) {
    const type = known(typeOf(message));
    if (!type) return [`there is no ${typeOf(message)} in the protocol`];
    const validate = ajv.getSchema(`protocol#/definitions/${encodeURIComponent(type)}`);
    return validate(message) ? [] : validate.errors.map((e) => `${e.instancePath} ${e.message}`);
}
