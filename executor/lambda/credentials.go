package lambda

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// account holds the credentials and region from the person's AWS_* variables and shared files. The
// metadata of a machine or container is never asked.
type account struct {
	region string
	keys   aws.Credentials
}

func (c functionCall) account(ctx context.Context) (account, error) {
	env, err := config.NewEnvConfig()
	if err != nil {
		return account{}, executor.DefinitionError("aws-config", "the AWS_* variables: %w", err)
	}
	profile, err := profileOf(ctx, env)
	if err != nil {
		return account{}, executor.DefinitionError("aws-config", "the AWS profile: %w", err)
	}
	a := account{region: cmp.Or(env.Region, profile.Region), keys: env.Credentials}
	switch {
	case a.keys.HasKeys():
	case profile.Credentials.HasKeys():
		a.keys = profile.Credentials
	case profile.CredentialProcess != "":
		a.keys, err = processCredentials(ctx, profile.CredentialProcess)
	default:
		err = c.noKeysError(profile)
	}
	c.Track("AWS_SECRET_ACCESS_KEY", a.keys.SecretAccessKey)
	c.Track("AWS_SESSION_TOKEN", a.keys.SessionToken)
	return a, err
}

// profileOf returns the AWS profile that applies. It is empty if no profile was named and there is
// no default one.
func profileOf(ctx context.Context, env config.EnvConfig) (config.SharedConfig, error) {
	profile, err := config.LoadSharedConfigProfile(ctx, cmp.Or(env.SharedConfigProfile, "default"), func(o *config.LoadSharedConfigOptions) {
		if env.SharedConfigFile != "" {
			o.ConfigFiles = []string{env.SharedConfigFile}
		}
		if env.SharedCredentialsFile != "" {
			o.CredentialsFiles = []string{env.SharedCredentialsFile}
		}
	})
	if _, none := errors.AsType[config.SharedConfigProfileNotExistError](err); none && env.SharedConfigProfile == "" {
		return config.SharedConfig{}, nil
	}
	return profile, err
}

// processCredentials returns the credentials that a program of the person prints.
func processCredentials(ctx context.Context, command string) (aws.Credentials, error) {
	shell := []string{"/bin/sh", "-c", command}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd.exe", "/C", command}
	}
	text, err := process.Output(ctx, process.Command{Words: shell, InheritEnv: true, Max: 64 << 10})
	if err != nil {
		return aws.Credentials{}, credentialsError("the credential_process of the AWS profile failed: %w", err)
	}
	var keys struct{ AccessKeyID, SecretAccessKey, SessionToken string }
	if json.Unmarshal([]byte(text), &keys) != nil || keys.AccessKeyID == "" || keys.SecretAccessKey == "" { // the error would show the keys
		return aws.Credentials{}, credentialsError("the credential_process of the AWS profile prints no credentials")
	}
	return aws.Credentials{AccessKeyID: keys.AccessKeyID, SecretAccessKey: keys.SecretAccessKey, SessionToken: keys.SessionToken}, nil
}

func credentialsError(format string, args ...any) *executor.Error {
	return executor.DefinitionError("aws-credentials", format, args...)
}

// noKeysError returns the error for missing credentials, with a hint.
func (c functionCall) noKeysError(profile config.SharedConfig) error {
	e := credentialsError("there are no AWS credentials to call %s with", c.name)
	if profile.RoleARN != "" || profile.SSOSessionName != "" || profile.SSOStartURL != "" {
		return e.WithHint("The profile %s signs in first, which is not done here: run `aws configure export-credentials --profile %[1]s --format env`.", profile.Profile)
	}
	return e.WithHint("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE for one of your profiles. The metadata of a machine are never asked.")
}
