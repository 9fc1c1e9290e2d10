/** Names of files that hold secrets as a rule: local history keeps no content of them, tracked by git or not. */
import { basename } from "node:path";

const secretNames = new RegExp(
  [
    String.raw`^\.env(\..+)?$`,
    String.raw`^\.(npmrc|netrc|pgpass|pypirc|git-credentials|htpasswd|dockercfg|vault-token)$`,
    String.raw`^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$`,
    String.raw`\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$`,
    String.raw`^(credentials|secrets?)(\.(json|ya?ml|toml|ini|env|txt))?$`,
    String.raw`^terraform\.tfstate(\.backup)?$`,
    String.raw`\.tfvars$`,
  ].join("|"),
  "i",
);
const samples = /^\.env\.(example|sample|template|dist)$/i;

export function isSecretFile(path: string): boolean {
  const name = basename(path);
  return secretNames.test(name) && !samples.test(name);
}
