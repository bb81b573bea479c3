"""What a program does with the package boto3, in the sandbox of a test."""
import io
import os

import boto3
import botocore.exceptions

os.environ["AWS_DEFAULT_REGION"] = "us-east-1"
os.environ["AWS_EC2_METADATA_DISABLED"] = "true"


def refusal(deed):
    try:
        deed()
    except botocore.exceptions.ClientError as error:
        return error


place = {"Bucket": "site-preview", "Key": "a b/ü.txt"}
s3 = boto3.session.Session().client("s3")
for body in (b"hello", io.BytesIO(b"hello")):
    answer = s3.put_object(Body=body, ContentType="text/plain", Metadata={"a": " b  c "}, **place)
    print("put", answer["ResponseMetadata"]["HTTPStatusCode"])
print("got", s3.get_object(**place)["Body"].read().split(b"\n")[0].decode())
s3.upload_fileobj(io.BytesIO(b"x" * 3_000_000), "site-preview", "large")
print("uploaded")
print("refused", refusal(lambda: s3.get_object(Bucket="site-other", Key="a")))
print("refused", refusal(lambda: s3.delete_object(**place)))
